/** Charts as data, and their SVG and PNG. */
package kvrank.report.chart;
