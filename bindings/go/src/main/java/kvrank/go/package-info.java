/** The binding of engines that are written in Go and live in the worker's JVM. */
package kvrank.go;
