/** What the engines that speak Redis's protocol share. */
package kvrank.resp;
