/** The binding of MapDB, which runs in the worker's JVM. */
package kvrank.mapdb;
