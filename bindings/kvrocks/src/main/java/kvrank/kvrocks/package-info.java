/** The binding of Kvrocks. */
package kvrank.kvrocks;
