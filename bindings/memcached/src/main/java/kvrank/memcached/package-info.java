/** The binding of memcached and its text protocol. */
package kvrank.memcached;
