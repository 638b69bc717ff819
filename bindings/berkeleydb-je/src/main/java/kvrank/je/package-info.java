/** The binding of Berkeley DB Java Edition, which runs in the worker's JVM. */
package kvrank.je;
