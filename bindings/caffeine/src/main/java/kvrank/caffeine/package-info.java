/** The binding of Caffeine, which lives in the worker's JVM. */
package kvrank.caffeine;
