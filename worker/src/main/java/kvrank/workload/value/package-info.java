/** Values: sizes, compressibility, JSON, time to live. */
package kvrank.workload.value;
