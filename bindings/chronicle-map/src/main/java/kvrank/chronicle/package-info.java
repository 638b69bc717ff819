/** The binding of Chronicle Map, which lives in the worker's JVM. */
package kvrank.chronicle;
