/** The on-disk format of a run directory. */
package kvrank.results;
