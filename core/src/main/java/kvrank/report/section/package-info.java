/** Sections: answer, phases, crash tests, expectations, workloads together. */
package kvrank.report.section;
