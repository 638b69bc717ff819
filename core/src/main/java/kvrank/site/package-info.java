/** A static site about many executions: which engine to reach for, for which use, and how sure. */
package kvrank.site;
