/** kvrank beside the tools that others use for the same: both sides in turn, several times. */
package kvrank.benchmarks;
