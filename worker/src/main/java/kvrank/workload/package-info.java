/** What is asked of an engine: workloads as values, and the seeded operations they stand for. */
package kvrank.workload;
