/** Pure functions: rankings to Markdown, CSV and JSON. */
package kvrank.report;
