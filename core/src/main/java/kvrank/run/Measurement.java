package kvrank.run;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.Measurements;
import kvrank.results.Outcome;

/** What came of one measured stretch: a phase, or one step of a sweep. */
sealed interface Measurement {

  /** Completed or not. */
  Outcome outcome();

  /** The worker counted to the end. Errors and wrong answers void it all the same. */
  record Measured(Outcome outcome, Measurements measurements, SortedMap<String, String> facts)
      implements Measurement {

    public Measured {
      requireNonNull(outcome, "outcome is null");
      requireNonNull(measurements, "measurements is null");
      facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
    }
  }

  /** The engine, its server or the worker broke, or nothing came. */
  record Broken(Outcome outcome) implements Measurement {
    public Broken {
      requireNonNull(outcome, "outcome is null");
    }
  }
}
