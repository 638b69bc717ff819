/** The trace format, and requests replayed from it. */
package kvrank.workload.trace;
