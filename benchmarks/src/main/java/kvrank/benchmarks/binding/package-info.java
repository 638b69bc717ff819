/** Bindings around others that measure their calls, and one that is slow on purpose. */
package kvrank.benchmarks.binding;
