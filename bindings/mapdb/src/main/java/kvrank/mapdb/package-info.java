/** The binding of MapDB, which lives in the worker's JVM. */
package kvrank.mapdb;
