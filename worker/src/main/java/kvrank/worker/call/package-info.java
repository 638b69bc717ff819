/** One request to an engine, and the check of its answer. */
package kvrank.worker.call;
