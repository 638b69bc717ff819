/** Seeded random numbers, distributions and permutations. */
package kvrank.workload.random;
