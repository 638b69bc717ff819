package kvrank.run;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.Durability;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.Resources;

/** What came of one measured stretch: a phase, or one step of a sweep. */
sealed interface Measurement {

  /** Completed or not. */
  Outcome outcome();

  /**
   * The worker counted to the end. Errors and wrong answers void it all the same.
   *
   * @param elapsedNanos the measured time
   * @param operations by the operation's label
   */
  record Measured(
      Outcome outcome,
      long elapsedNanos,
      SortedMap<String, OperationRecord> operations,
      Resources resources,
      Durability durability,
      SortedMap<String, String> facts)
      implements Measurement {

    public Measured {
      requireNonNull(outcome, "outcome is null");
      operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
      requireNonNull(resources, "resources is null");
      requireNonNull(durability, "durability is null");
      facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
    }

    /** OK records per second of all operations together. */
    double throughput() {
      return operations.values().stream().mapToDouble(OperationRecord::throughput).sum();
    }
  }

  /** The engine, its server or the worker broke, or nothing came. */
  record Broken(Outcome outcome) implements Measurement {
    public Broken {
      requireNonNull(outcome, "outcome is null");
    }
  }
}
