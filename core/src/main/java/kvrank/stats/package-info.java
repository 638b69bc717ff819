/** Turns records into samples, groups and rankings. */
package kvrank.stats;
