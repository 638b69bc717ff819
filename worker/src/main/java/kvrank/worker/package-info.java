/** The process that applies the load: start, commands, bindings. */
package kvrank.worker;
