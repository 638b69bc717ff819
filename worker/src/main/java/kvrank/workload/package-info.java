/** Workloads as values, and their requests, pure functions of (seed, phase, thread, index). */
package kvrank.workload;
