/** Base classes, connections and TLS for engines that are servers. */
package kvrank.binding.net;
