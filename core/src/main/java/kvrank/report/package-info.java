/** Pure functions: rankings to Markdown, CSV, JSON, HTML, SVG and PNG. */
package kvrank.report;
