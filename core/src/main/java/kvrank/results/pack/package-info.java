/** Results in one archive that anyone may read: written without private texts, read in bounds. */
package kvrank.results.pack;
