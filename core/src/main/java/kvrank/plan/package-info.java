/** One scenario to the ordered, seeded list of runs; finds what an engine cannot do. */
package kvrank.plan;
