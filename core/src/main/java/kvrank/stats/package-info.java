/** Records to samples, groups, rankings and comparisons. */
package kvrank.stats;
