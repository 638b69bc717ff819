package kvrank.results.pack;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;

/** Compares the runs of an execution with each other and with their plan. */
final class Siblings {

  /** The wall clock may be set between two runs. */
  private static final Duration CLOCK = Duration.ofSeconds(10);

  /** A value that this many runs have, and more than half, is not a coincidence. */
  private static final int MANY = 3;

  /** Settings that neither records nor a worker without an engine depend on. */
  private static final Set<String> IRRELEVANT = Set.of("fsync", "rate");

  /** What a worker without an engine took, measured once for all engines. */
  private static final List<Fact> HARNESS =
      List.of(
          Fact.HARNESS_CEILING,
          Fact.HARNESS_RESIDENT_BYTES,
          Fact.HARNESS_OFF_HEAP_BYTES,
          Fact.HARNESS_HEAP_LIVE_BYTES);

  private final ExecutionResults results;
  private final Map<RunRecord, List<String>> found = new HashMap<>();

  private Siblings(ExecutionResults results) {
    this.results = results;
  }

  /** Returns the contradictions of each run. */
  static Map<RunRecord, List<String>> contradictions(ExecutionResults results) {
    Siblings siblings = new Siblings(results);
    siblings.repetitions();
    siblings.times();
    siblings.equal();
    return siblings.found;
  }

  private void add(RunRecord run, String sentence) {
    found.computeIfAbsent(run, any -> new ArrayList<>()).add(sentence);
  }

  private void repetitions() {
    Map<Integer, Long> seeds = new HashMap<>();
    Set<List<Object>> seen = new HashSet<>();
    for (RunRecord run : results.runs()) {
      int repetition = run.repetition();
      if (repetition < 1 || repetition > results.manifest().repetitions()) {
        add(
            run,
            "repetition is %d, but the plan has %d"
                .formatted(repetition, results.manifest().repetitions()));
      }
      if (!seen.add(List.of(run.engine(), run.options(), run.factors(), repetition))) {
        add(run, "repetition %d of %s occurs twice".formatted(repetition, run.engine()));
      }
      long seed = run.seed();
      if (seeds.putIfAbsent(repetition, seed) != null && seeds.get(repetition) != seed) {
        add(run, "seed is not that of other runs of repetition " + repetition);
      }
    }
    if (new HashSet<>(seeds.values()).size() < seeds.size()) {
      add(results.runs().get(0), "seed is the same in several repetitions");
    }
  }

  /** Runs follow each other: all of them measure the same machine. */
  private void times() {
    List<RunRecord> inOrder =
        results.runs().stream().sorted(Comparator.comparing(RunRecord::started)).toList();
    Instant planned = results.manifest().planned();
    Instant before = planned;
    String earlier = "the plan";
    for (RunRecord run : inOrder) {
      if (run.started().isBefore(before.minus(CLOCK))) {
        add(run, "started is %s, before the end of %s".formatted(run.started(), earlier));
      }
      if (run.ended().isAfter(before)) {
        before = run.ended();
        earlier = "run " + run.id();
      }
    }
  }

  /** What does not depend on the engine is the same in all runs of a factor point. */
  private void equal() {
    Map<List<Object>, SortedMap<Double, List<RunRecord>>> values = new HashMap<>();
    for (RunRecord run : results.runs()) {
      SortedMap<String, String> point = new TreeMap<>(run.factors());
      point.keySet().removeAll(IRRELEVANT);
      for (PhaseRecord phase : run.phases()) {
        if (!(phase.outcome() instanceof Outcome.Completed)) {
          continue;
        }
        for (Fact fact : HARNESS) {
          put(values, List.of(point, phase.name(), fact.label()), phase.facts().number(fact), run);
        }
        // An external server has keys with a prefix of their own.
        if (phase.load() && !run.facts().text(Fact.WAY).equals("external")) {
          put(
              values,
              List.of(point, phase.name(), "user.writtenBytes per record"),
              RawFacts.recordBytes(phase),
              run);
          put(
              values,
              List.of(point, phase.name(), "user.liveBytes per record"),
              RawFacts.liveBytes(phase),
              run);
        }
      }
    }
    values.forEach((place, runs) -> agree(place.get(1) + ": " + place.get(2), runs));
  }

  private static void put(
      Map<List<Object>, SortedMap<Double, List<RunRecord>>> values,
      List<Object> place,
      double value,
      RunRecord run) {
    if (!Double.isNaN(value)) {
      values
          .computeIfAbsent(place, any -> new TreeMap<>())
          .computeIfAbsent(value, any -> new ArrayList<>())
          .add(run);
    }
  }

  private void agree(String figure, SortedMap<Double, List<RunRecord>> runs) {
    Comparator<Map.Entry<Double, List<RunRecord>>> frequency =
        Comparator.comparing(each -> each.getValue().size());
    Map.Entry<Double, List<RunRecord>> most = runs.entrySet().stream().max(frequency).orElseThrow();
    int all = runs.values().stream().mapToInt(List::size).sum();
    int many = most.getValue().size();
    runs.forEach(
        (value, own) -> {
          if (!value.equals(most.getKey()) && many >= MANY && 2 * many > all) {
            own.forEach(
                run ->
                    add(
                        run,
                        "%s is %,.3f, but other runs have %,.3f"
                            .formatted(figure, value, most.getKey())));
          }
        });
  }
}
