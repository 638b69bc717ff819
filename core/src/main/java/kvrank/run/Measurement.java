package kvrank.run;

import java.util.SortedMap;
import kvrank.results.Measurements;
import kvrank.results.Outcome;

/** What came of one measured stretch: a phase, or one step of a sweep. */
sealed interface Measurement {

  /** Completed or not. */
  Outcome outcome();

  /**
   * The worker counted to the end. Errors and wrong answers void it all the same.
   *
   * @param measurements without durability, which is judged when the run is over
   * @param written what that goes by
   */
  record Measured(
      Outcome outcome,
      Measurements measurements,
      SortedMap<String, String> facts,
      WrittenStretch written)
      implements Measurement {}

  /** The engine, its server or the worker broke, or nothing came. */
  record Broken(Outcome outcome) implements Measurement {}
}
