/** The binding of Berkeley DB Java Edition, which lives in the worker's JVM. */
package kvrank.je;
