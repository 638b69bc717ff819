/** What was recorded elsewhere, in one form: without keys or values, to be shown and replayed. */
package kvrank.trace;
