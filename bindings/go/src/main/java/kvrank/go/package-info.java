/** The binding of engines that are written in Go and run in the worker's JVM. */
package kvrank.go;
