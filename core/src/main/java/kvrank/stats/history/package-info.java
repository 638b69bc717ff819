/** Executions of one scenario over time, and what changed between them. */
package kvrank.stats.history;
