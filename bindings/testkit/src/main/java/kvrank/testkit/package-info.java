/** What every binding promises, as tests against the real engine. */
package kvrank.testkit;
