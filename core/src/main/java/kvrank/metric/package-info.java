/** What engines are ranked by: every metric with its unit, and what it is computed from. */
package kvrank.metric;
