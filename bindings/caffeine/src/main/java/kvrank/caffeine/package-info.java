/** The binding of Caffeine, which runs in the worker's JVM. */
package kvrank.caffeine;
