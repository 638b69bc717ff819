/** The binding of RocksDB, which runs in the worker's JVM. */
package kvrank.rocksdb;
