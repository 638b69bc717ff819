/** Rows for CSV, JSON and JUnit files. */
package kvrank.report.file;
