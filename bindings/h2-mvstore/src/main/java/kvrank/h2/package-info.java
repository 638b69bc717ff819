/** The binding of H2's MVStore, which runs in the worker's JVM. */
package kvrank.h2;
