/** One scenario to the ordered, seeded list of run specs; refuses what an engine cannot do. */
package kvrank.plan;
