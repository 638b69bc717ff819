/** Tables that a scenario declares. */
package kvrank.report.table;
