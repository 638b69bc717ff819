/** Looks at a server that others use, without harming it, and describes its traffic. */
package kvrank.capture;
