/** The binding of RocksDB, which lives in the worker's JVM. */
package kvrank.rocksdb;
