package kvrank.results;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of one run: {@code record.json}.
 *
 * @param schema the version of this format, {@code major.minor}
 * @param id the run's folder
 * @param engine the row's label
 * @param factors the factor point by the settings' labels, constants included
 * @param repetition from 1
 * @param seed the run's seed
 * @param outcome what became of it
 * @param note what a reader of the table has to know of this engine at this durability; may be
 *     empty
 * @param facts what was learned of the server, the worker and the environment
 * @param phases in order; those that the engine cannot do are unsupported, those that were not
 *     reached are missing
 * @param killTest what the engine lost when it was killed after the phases, if that was asked for
 *     and the run was completed
 */
public record RunRecord(
    String schema,
    String id,
    String engine,
    SortedMap<String, String> factors,
    int repetition,
    long seed,
    Outcome outcome,
    String note,
    SortedMap<String, String> facts,
    List<PhaseRecord> phases,
    Instant started,
    Instant ended,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<CrashTest> killTest) {

  /** The version that this build writes, and the newest that it reads. */
  public static final String SCHEMA = "1.1";

  public RunRecord {
    requireNonNull(schema, "schema is null");
    requireNonNull(id, "id is null");
    requireNonNull(engine, "engine is null");
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
    requireNonNull(outcome, "outcome is null");
    requireNonNull(note, "note is null");
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
    phases = List.copyOf(phases);
    requireNonNull(started, "started is null");
    requireNonNull(ended, "ended is null");
    requireNonNull(killTest, "killTest is null");
  }

  /** A run without a kill test. */
  public RunRecord(
      String schema,
      String id,
      String engine,
      SortedMap<String, String> factors,
      int repetition,
      long seed,
      Outcome outcome,
      String note,
      SortedMap<String, String> facts,
      List<PhaseRecord> phases,
      Instant started,
      Instant ended) {
    this(
        schema,
        id,
        engine,
        factors,
        repetition,
        seed,
        outcome,
        note,
        facts,
        phases,
        started,
        ended,
        Optional.empty());
  }
}
