/** What a binding may offer beyond {@link site.ycsb.DB}: batches, prefix scans and facts. */
package kvrank.binding;
