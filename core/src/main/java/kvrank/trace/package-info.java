/** Imports foreign recordings as traces; describes a trace and fits a workload to it. */
package kvrank.trace;
