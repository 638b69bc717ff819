/** Every fact of a machine, a run or a phase: name, unit, how generators merge, meaning. */
package kvrank.fact;
