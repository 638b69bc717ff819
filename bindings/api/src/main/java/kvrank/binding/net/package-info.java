/** Connections, buffers and TLS for engines behind a socket. */
package kvrank.binding.net;
