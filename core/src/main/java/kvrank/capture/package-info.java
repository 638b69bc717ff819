/** A live server of Redis's protocol to a scenario like its traffic. */
package kvrank.capture;
