/** A server spec to a ready server, and back into nothing. */
package kvrank.provision;
