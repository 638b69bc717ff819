/** Pure functions: records to estimates and rankings. */
package kvrank.stats;
