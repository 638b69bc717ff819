/** Property files of YCSB, to workloads or classes that kvrank hosts. */
package kvrank.scenario.read.ycsb;
