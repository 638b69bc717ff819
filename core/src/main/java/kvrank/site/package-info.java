/** The pages of a static site about many executions. */
package kvrank.site;
