/** Foreign recordings to a trace; describes a trace and fits a workload to it. */
package kvrank.trace;
