/** A server specification to a ready server, and its removal; which methods are available here. */
package kvrank.provision;
