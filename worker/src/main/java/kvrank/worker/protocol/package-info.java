/** Commands and messages between controller and worker, and their codec. */
package kvrank.worker.protocol;
