/** Scenarios as validated immutable values. */
package kvrank.scenario;
