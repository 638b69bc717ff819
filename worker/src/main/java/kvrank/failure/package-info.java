/** Who is to blame for a failure, as types that the controller and the worker share. */
package kvrank.failure;
