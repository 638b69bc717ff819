/** Charts of groups, factors, latencies and time series. */
package kvrank.report.figure;
