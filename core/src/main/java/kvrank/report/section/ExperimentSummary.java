package kvrank.report.section;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import kvrank.fact.Fact;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Manifest.Adaptive;
import kvrank.results.RunRecord;
import kvrank.stats.Rankings;
import kvrank.stats.Settlement;
import kvrank.stats.infer.PairVerdict;

/** The size of an experiment, the time that it lost, and the differences that it detects. */
public final class ExperimentSummary {

  private static final int REPEATED_SHOWN = 4;

  /** The parts of a run's time, in the words that follow their shares. */
  private static final Map<Fact, String> PARTS = new LinkedHashMap<>();

  static {
    PARTS.put(Fact.TIME_PHASES_SECONDS, "in phases");
    PARTS.put(Fact.TIME_SERVER_SECONDS, "until servers were ready");
    PARTS.put(Fact.TIME_WORKER_SECONDS, "until workers were");
    PARTS.put(Fact.TIME_BETWEEN_SECONDS, "around phases");
    PARTS.put(Fact.TIME_STOP_SECONDS, "after the last");
  }

  private ExperimentSummary() {}

  /** Returns a line each, for a comparison of {@code engines}. */
  public static List<String> lines(ExecutionResults results, int engines) {
    List<String> lines = new ArrayList<>(experiment(results));
    lines.addAll(detectableDifferences(results, engines));
    return lines;
  }

  /** Returns the size of the experiment, or of each merged one. */
  private static List<String> experiment(ExecutionResults results) {
    List<String> lines = new ArrayList<>();
    if (results.executions().size() > 1) {
      lines.add("Merged from %d executions:".formatted(results.parts().size()));
      for (ExecutionResults part : results.parts()) {
        String host = part.environment().find(Fact.HOST).orElse("unknown");
        String size = part.manifest().scenario() + ", " + size(part.manifest());
        lines.add(part.name() + ": scenario " + size + ", host " + host);
      }
    } else {
      String planned = results.manifest().planned().toString();
      String minute = planned.substring(0, Math.min(16, planned.length())).replace('T', ' ');
      lines.add("Experiment: " + size(results.manifest()) + ", " + minute + " UTC");
      lines.addAll(lost(results));
      Settlement now = Settlement.of(results);
      results
          .manifest()
          .adaptive()
          .map(
              adaptive ->
                  "Repetitions until comparisons are settled: after %d of %d%s: %s%s."
                      .formatted(
                          results.repetitions(),
                          results.manifest().repetitions(),
                          now.end(),
                          now.summary(),
                          adaptive.ratio() == PairVerdict.EQUAL
                              ? ""
                              : "; less than %s apart counts as settled"
                                  .formatted(Quantities.ratio(adaptive.ratio()))))
          .ifPresent(lines::add);
    }
    return lines;
  }

  /** Returns the differences that this execution detects, and the cost of smaller ones. */
  private static List<String> detectableDifferences(ExecutionResults results, int engines) {
    double noise = Rankings.noise(results);
    if (engines < 2 || !Double.isFinite(noise) || results.executions().size() > 1) {
      return List.of();
    }
    boolean adaptive = results.manifest().adaptive().isPresent();
    SortedSet<Integer> repetitions = new TreeSet<>(List.of(results.repetitions()));
    if (adaptive) {
      repetitions.add(results.manifest().repetitions());
    }
    double seconds = results.runs().stream().mapToDouble(run -> run.time().toMillis() / 1e3).sum();
    return List.of(
        "Runs vary by %s: %s. All runs took %s%s."
            .formatted(
                Quantities.portion(noise),
                DetectableDifferences.of(engines, repetitions, adaptive, noise),
                Quantities.of(Unit.SECONDS, seconds),
                parts(results.runs())));
  }

  /**
   * Returns the shares of the parts of the time of {@code runs}, after a colon, if any has them.
   */
  private static String parts(List<RunRecord> runs) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    PARTS.forEach(
        (part, words) ->
            seconds.put(
                words,
                runs.stream()
                    .filter(run -> run.facts().has(part))
                    .mapToDouble(run -> run.facts().number(part))
                    .sum()));
    double all = seconds.values().stream().mapToDouble(sum -> sum).sum();
    return all == 0
        ? ""
        : seconds.entrySet().stream()
            .map(part -> Quantities.portion(part.getValue() / all) + " " + part.getKey())
            .collect(joining(", ", ": ", ""));
  }

  /** Returns the time that others on the machine cost, and the repeated runs; usually nothing. */
  private static List<String> lost(ExecutionResults results) {
    double seconds = results.runs().stream().mapToDouble(RunRecord::lostSeconds).sum();
    List<String> repeated = new ArrayList<>();
    for (RunRecord run : results.runs()) {
      run.facts()
          .parts(Fact.OTHERS_DISTURBED)
          .values()
          .forEach(why -> repeated.add(run.id() + " (" + why + ")"));
    }
    return seconds > 0
        ? List.of(
            "Waiting for other processes and repeating disturbed runs took %.0f s%s."
                .formatted(seconds, listed("; repeated: ", "; ", repeated)))
        : List.of();
  }

  private static String listed(String before, String between, List<String> items) {
    return items.isEmpty()
        ? ""
        : before + String.join(between, Labels.first(items, REPEATED_SHOWN));
  }

  private static String size(Manifest manifest) {
    return "%s, %s, %s of each run, storage %s, seed %d%s"
        .formatted(
            Quantities.counted(manifest.engines().size(), "engine"),
            Quantities.counted(manifest.phases().size(), "phase"),
            repetitions(manifest) + added(manifest),
            manifest.medium(),
            manifest.seed(),
            manifest.orderSeed().map(", order seed %d"::formatted).orElse(""));
  }

  /** Returns the numbers of repetitions after which the execution was extended. */
  private static String added(Manifest manifest) {
    List<Integer> looks =
        manifest.adaptive().map(Adaptive::stopped).orElse(manifest.extended()).stream()
            .distinct()
            .toList();
    return looks.isEmpty()
        ? ""
        : " (extended after %s)"
            .formatted(looks.stream().map(String::valueOf).collect(joining(" and ")));
  }

  /** Returns for example {@code 3 to 10 repetitions}. */
  public static String repetitions(Manifest manifest) {
    return (manifest.adaptive().isPresent() ? manifest.guaranteedRepetitions() + " to " : "")
        + Quantities.counted(manifest.repetitions(), "repetition");
  }
}
