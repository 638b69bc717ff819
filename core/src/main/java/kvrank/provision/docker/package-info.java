/** Starts servers in containers; the only user of Testcontainers. */
package kvrank.provision.docker;
