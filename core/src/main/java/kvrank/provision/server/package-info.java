/** One server: what to start, how, and how it is asked whether it is ready and what it is. */
package kvrank.provision.server;
