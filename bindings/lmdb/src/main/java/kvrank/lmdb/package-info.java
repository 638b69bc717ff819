/** The binding of LMDB, which lives in the worker's JVM. */
package kvrank.lmdb;
