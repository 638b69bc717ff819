/** The report as one HTML page that needs nothing else, and its charts. */
package kvrank.report.html;
