/** Every metric, with unit, scope and formula. */
package kvrank.metric;
