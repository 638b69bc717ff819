/** The binding of Chronicle Map, which runs in the worker's JVM. */
package kvrank.chronicle;
