/**
 * What Linux says of this machine: its storage and block devices, its processes, its cores. Looks
 * and counts; knows no engine and changes nothing.
 */
package kvrank.machine;
