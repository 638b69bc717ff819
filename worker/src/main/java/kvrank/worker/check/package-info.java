/** Which records an engine holds after a load, a phase or a crash. */
package kvrank.worker.check;
