/** A server spec to a ready server, and back into nothing; the only user of Testcontainers. */
package kvrank.provision;
