/** Turns records into samples, groups, rankings and comparisons. */
package kvrank.stats;
