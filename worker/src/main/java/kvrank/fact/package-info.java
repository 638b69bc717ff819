/** The registry of facts: every named finding that a record or a message of kvrank can hold. */
package kvrank.fact;
