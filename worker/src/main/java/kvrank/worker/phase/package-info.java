/** One measured phase in all threads: warm-up, monitors, results. */
package kvrank.worker.phase;
