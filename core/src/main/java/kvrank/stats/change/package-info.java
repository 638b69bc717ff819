/** Two executions, or the two sides of one, compared cell by cell. */
package kvrank.stats.change;
