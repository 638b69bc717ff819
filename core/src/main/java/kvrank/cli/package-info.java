/** Commands, wiring, exit statuses; the only user of System.out and System.exit. */
package kvrank.cli;
