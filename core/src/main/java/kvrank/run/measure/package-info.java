/** One run: server, worker, phases, samples, and always one record. */
package kvrank.run.measure;
