/** Blocks to Markdown, HTML and terminal text. */
package kvrank.report.write;
