/** Estimates, intervals and tests. */
package kvrank.stats.infer;
