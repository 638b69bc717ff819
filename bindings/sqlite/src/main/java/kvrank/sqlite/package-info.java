/** The binding of SQLite, which runs in the worker's JVM. */
package kvrank.sqlite;
