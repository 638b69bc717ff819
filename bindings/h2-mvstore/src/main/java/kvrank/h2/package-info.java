/** The binding of H2's MVStore, which lives in the worker's JVM. */
package kvrank.h2;
