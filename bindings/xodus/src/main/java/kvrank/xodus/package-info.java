/** The binding of Xodus, which lives in the worker's JVM. */
package kvrank.xodus;
