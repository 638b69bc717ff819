/** Scenario, workload and table files to values, or every problem with its position. */
package kvrank.scenario.read;
