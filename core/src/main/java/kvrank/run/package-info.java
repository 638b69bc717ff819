/** One execution: checks the machine, decides which runs come next, repeats what was disturbed. */
package kvrank.run;
