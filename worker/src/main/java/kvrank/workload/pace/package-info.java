/** When requests of an open loop are due. */
package kvrank.workload.pace;
