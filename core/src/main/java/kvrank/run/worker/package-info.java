/** The controller's side of workers: starts them, talks to them, merges generators. */
package kvrank.run.worker;
