/** The on-disk format of a results directory. */
package kvrank.results;
