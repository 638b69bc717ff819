/** YAML to validated immutable records, or every problem with its position. */
package kvrank.scenario;
