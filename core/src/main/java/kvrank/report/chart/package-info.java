/** Charts: as data, as SVG that a page's style sheet colours, and as files on their own. */
package kvrank.report.chart;
