/** What a binding may offer beyond {@link site.ycsb.DB}, and what bindings share. */
package kvrank.binding;
