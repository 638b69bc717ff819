/** One request: operation, limits, part of the threads. */
package kvrank.workload.request;
