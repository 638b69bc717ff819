/** Writes blocks as Markdown, as a page, for a terminal; the one place that knows these forms. */
package kvrank.report.write;
