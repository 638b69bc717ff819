/** Base classes for engines that run in the worker. */
package kvrank.binding.embedded;
