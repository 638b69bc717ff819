/** The binding of Xodus, which runs in the worker's JVM. */
package kvrank.xodus;
