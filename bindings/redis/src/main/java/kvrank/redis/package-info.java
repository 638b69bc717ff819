/** The binding of Redis. */
package kvrank.redis;
