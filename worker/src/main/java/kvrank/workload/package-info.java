/**
 * Workloads as values, and the requests that they stand for: pure functions of (seed, phase,
 * thread, index).
 */
package kvrank.workload;
