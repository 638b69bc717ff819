/** A thread or connection that goes through its requests and records them. */
package kvrank.worker.client;
