/** Commands, constructor wiring and exit codes; the only user of System.out and System.exit. */
package kvrank.cli;
