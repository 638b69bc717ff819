/** Keys: shape, format, choice. */
package kvrank.workload.key;
