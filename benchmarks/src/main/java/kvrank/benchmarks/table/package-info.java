/** The table that kvrank is compared in: its rows, both sides of each, their bars and pairs. */
package kvrank.benchmarks.table;
