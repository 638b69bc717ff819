/** The whole report, of one execution or of several, as blocks. */
package kvrank.report;
