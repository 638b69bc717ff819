/** Blocks (headings, tables, charts) and the format of quantities. */
package kvrank.report.block;
