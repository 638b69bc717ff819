/** What a binding may offer beyond {@link site.ycsb.DB}, in bytes, and what bindings share. */
package kvrank.binding;
