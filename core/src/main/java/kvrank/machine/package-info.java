/** What Linux reports about this machine: storage, block devices, processes, cores. */
package kvrank.machine;
