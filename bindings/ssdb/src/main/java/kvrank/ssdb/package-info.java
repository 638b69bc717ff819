/** The binding of SSDB and its own protocol. */
package kvrank.ssdb;
