package kvrank.results.pack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.fact.Fact;
import kvrank.input.Problem;
import kvrank.metric.Latency;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Json;
import kvrank.results.LatencyLog;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import org.HdrHistogram.Histogram;

/**
 * Checks packs before they are published: sums, schema, figures that can be recomputed, private
 * texts, and that executions of one scenario measured the same.
 */
public final class PackCheck {

  /** The most problems of one kind that are reported of a pack. */
  private static final int MOST = 5;

  /** How much a percentile may differ from its histogram, which has three digits. */
  private static final double TOLERANCE = 0.002;

  private static final String FSYNC = "fsync";

  /** The first plan of each scenario, and the pack that has it. */
  private final Map<String, Map.Entry<Path, Manifest>> scenarios = new HashMap<>();

  /** Returns the problems of a pack, and of it with those before; empty without any. */
  public List<Problem> problems(Path archive) throws IOException {
    List<String> found = new ArrayList<>();
    try (OpenedPack pack = OpenedPack.of(archive)) {
      for (ResultsDirectory directory : pack.executions()) {
        check(archive, directory, found);
      }
      PrivateTexts texts = new PrivateTexts();
      for (String name : pack.sums().keySet()) {
        Path file = pack.folder().resolve(name);
        if (!PackLayout.figures(name) && !Json.text(file).equals(texts.file(name, file))) {
          found.add(name + ": has a private text; make the archive with 'kvrank pack'");
        }
      }
    } catch (UnreadableException e) {
      found.add(e.getMessage().replace(archive + ": ", ""));
    }
    return found.stream().map(each -> new Problem(archive, 0, 0, "", each, "")).toList();
  }

  private void check(Path archive, ResultsDirectory directory, List<String> found)
      throws UnreadableException {
    ExecutionResults results = directory.read();
    String before = directory.path() + "/";
    results.unreadable().forEach(message -> found.add(message.replace(before, "")));
    if (!MachineName.is(results.environment().text(Fact.HOST))) {
      found.add(
          "%s: has the name of a host; make the archive with 'kvrank pack'"
              .formatted(results.name()));
    }
    scenario(archive, results).ifPresent(found::add);
    List<String> wrong = new ArrayList<>();
    Evidence evidence = Evidence.of(results);
    for (RunRecord run : results.runs()) {
      unplanned(run, results.manifest()).ifPresent(wrong::add);
      recomputed(run, evidence).ifPresent(wrong::add);
    }
    wrong.stream().limit(MOST).map(each -> results.name() + ": " + each).forEach(found::add);
    if (wrong.size() > MOST) {
      found.add("%s: and %d more".formatted(results.name(), wrong.size() - MOST));
    }
  }

  /** Returns the difference to the earlier executions of a scenario of the same name. */
  private Optional<String> scenario(Path archive, ExecutionResults results) {
    Manifest manifest = results.manifest();
    Map.Entry<Path, Manifest> first =
        scenarios.computeIfAbsent(manifest.scenario(), any -> Map.entry(archive, manifest));
    Manifest other = first.getValue();
    List<String> differing = new ArrayList<>();
    if (!manifest.question().equals(other.question())) {
      differing.add("question");
    }
    if (!manifest.phases().equals(other.phases())) {
      differing.add("phases");
    }
    if (!manifest.medium().equals(other.medium())) {
      differing.add("medium");
    }
    Set<String> names = new TreeSet<>(manifest.factors().keySet());
    names.addAll(other.factors().keySet());
    names.removeIf(name -> Objects.equals(manifest.factors().get(name), other.factors().get(name)));
    differing.addAll(names);
    return differing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s: is not the scenario '%s' of %s: %s differ; give yours another name"
                .formatted(
                    results.name(),
                    manifest.scenario(),
                    first.getKey().getFileName(),
                    String.join(", ", differing)));
  }

  /** Returns the part of a record that its plan does not have. */
  private static Optional<String> unplanned(RunRecord run, Manifest plan) {
    if (!plan.engines().contains(run.engine())) {
      return Optional.of("run %s: the plan has no engine '%s'".formatted(run.id(), run.engine()));
    }
    for (PhaseRecord phase : run.phases()) {
      if (!plan.phases().contains(phase.name())) {
        return Optional.of("run %s: the plan has no phase '%s'".formatted(run.id(), phase.name()));
      }
    }
    for (Map.Entry<String, String> factor : run.factors().entrySet()) {
      if (!factor.getKey().equals(FSYNC) // an engine without a log has a level of its own
          && !plan.factors().getOrDefault(factor.getKey(), List.of()).contains(factor.getValue())) {
        return Optional.of(
            "run %s: the plan has no %s=%s"
                .formatted(run.id(), factor.getKey(), factor.getValue()));
      }
    }
    return Optional.empty();
  }

  /** Returns the first count or p99 of a phase that its histogram contradicts. */
  private static Optional<String> recomputed(RunRecord run, Evidence evidence)
      throws UnreadableException {
    Map<String, Histogram> histograms = new TreeMap<>();
    evidence.addLatencies(run, histograms);
    for (PhaseRecord phase : run.phases()) {
      boolean plain = phase.outcome() instanceof Outcome.Completed && phase.points().isEmpty();
      for (Map.Entry<String, OperationRecord> each : phase.operations().entrySet()) {
        Optional<Latency> latency = each.getValue().latencyNanos().filter(any -> plain);
        Histogram histogram = histograms.get(phase.name() + "/" + each.getKey());
        if (latency.isPresent() && contradicts(latency.get(), histogram)) {
          return Optional.of(
              "run %s: %s, %s: count or p99 of record.json is not that of latency.hlog"
                  .formatted(run.id(), phase.name(), each.getKey()));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean contradicts(Latency latency, Histogram histogram) {
    if (histogram == null) {
      return latency.count() > 0;
    }
    Latency seen = LatencyLog.summary(histogram);
    double p99 = seen.p99().orElse(0);
    return seen.count() != latency.count()
        || Math.abs(latency.p99().orElse(0) - p99) > TOLERANCE * p99;
  }
}
