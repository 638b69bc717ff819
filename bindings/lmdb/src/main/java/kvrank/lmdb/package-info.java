/** The binding of LMDB, which runs in the worker's JVM. */
package kvrank.lmdb;
