/** Takes one run spec through its life and always yields one run record. */
package kvrank.run;
