/** Ranking tables, with their labels and notes. */
package kvrank.report.ranking;
