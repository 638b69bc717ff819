/** The history of a scenario as blocks and charts, and as files for other tools. */
package kvrank.report.history;
