/** Captures the traffic of a live server that speaks Redis's protocol as a scenario. */
package kvrank.capture;
