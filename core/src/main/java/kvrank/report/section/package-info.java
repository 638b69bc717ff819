/**
 * The sections of a report: answer, phases, crash tests, expectations, comparison across workloads.
 */
package kvrank.report.section;
