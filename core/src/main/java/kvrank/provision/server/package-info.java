/** Starts servers as processes or finds external ones; asks them for readiness and facts. */
package kvrank.provision.server;
