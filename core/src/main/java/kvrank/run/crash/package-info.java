/**
 * Crash tests and power cuts: engines are killed while they write, and their writes are checked.
 */
package kvrank.run.crash;
