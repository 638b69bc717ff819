/** The forked JVM that applies the load of one run and records what came of it. */
package kvrank.worker;
