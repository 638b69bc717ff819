/** Counts flushes and judges durability. */
package kvrank.run.durability;
