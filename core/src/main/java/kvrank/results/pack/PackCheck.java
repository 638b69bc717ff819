package kvrank.results.pack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import kvrank.fact.Fact;
import kvrank.input.Problem;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Json;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;

/**
 * Checks packs before they are published: sums, schema, figures that raw files show, private texts,
 * copies, and that executions of one scenario measured the same.
 */
public final class PackCheck {

  /** The most problems of one execution that are reported. */
  private static final int MOST = 5;

  private static final String FSYNC = "fsync";

  private final SameScenario scenarios;
  private final Copies copies = new Copies();

  /**
   * Creates a check of packs that are published together.
   *
   * @param shipped returns the resolved YAML of the scenario of a name, if kvrank comes with one
   */
  public PackCheck(Function<String, Optional<String>> shipped) {
    this.scenarios = new SameScenario(shipped);
  }

  /**
   * The result of the check of one pack.
   *
   * @param problems empty if it is valid, alone and with those before
   * @param doubtful texts that may be private, with the files that have them
   * @param unchecked kinds of figures that its raw files are too old to show
   * @param executions those that could be read
   */
  public record Findings(
      List<Problem> problems,
      SortedMap<String, SortedSet<String>> doubtful,
      SortedSet<String> unchecked,
      List<ExecutionResults> executions) {

    /** Returns the names of the machines. */
    public SortedSet<String> machines() {
      return executions.stream()
          .map(each -> each.environment().text(Fact.HOST))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Returns a sentence about the settings that differ from the installed scenario of the name. */
  public Optional<String> difference(ExecutionResults results) throws UnreadableException {
    return scenarios
        .differences(
            results.manifest().scenario(),
            results.name(),
            SameScenario.settings(Evidence.of(results).scenario()))
        .stream()
        .findFirst()
        .map(each -> results.name() + ": " + each);
  }

  /** Checks a pack, and compares it with those that were checked before. */
  public Findings check(Path archive) throws IOException {
    List<String> found = new ArrayList<>();
    SortedSet<String> unchecked = new TreeSet<>();
    List<ExecutionResults> executions = new ArrayList<>();
    PrivateTexts texts = new PrivateTexts();
    try (OpenedPack pack = OpenedPack.of(archive)) {
      for (ResultsDirectory directory : pack.executions()) {
        ExecutionResults results = pack.read(directory);
        executions.add(results);
        check(archive, directory, results, found, unchecked);
      }
      for (String name : pack.sums().keySet()) {
        Path file = pack.folder().resolve(name);
        if (!PackLayout.figures(name) && !Json.text(file).equals(texts.file(name, file))) {
          found.add(
              name
                  + ": is not as 'kvrank pack' writes it, and may have a private text; pack it again");
        }
      }
    } catch (UnreadableException e) {
      found.add(e.getMessage().replace(archive + ": ", ""));
    }
    return new Findings(
        found.stream().map(each -> new Problem(archive, 0, 0, "", each, "")).toList(),
        texts.doubtful(),
        unchecked,
        executions);
  }

  private void check(
      Path archive,
      ResultsDirectory directory,
      ExecutionResults results,
      List<String> found,
      SortedSet<String> unchecked)
      throws UnreadableException {
    String before = directory.path() + "/";
    found.addAll(results.unreadable());
    String name = results.name();
    if (!results.measured()) {
      found.add(name + ": has no completed run, so there is nothing to publish");
    }
    if (!MachineName.is(results.environment().text(Fact.HOST))) {
      found.add(name + ": has the name of a host; make the archive with 'kvrank pack'");
    }
    SortedMap<String, String> settings = SameScenario.settings(Evidence.of(results).scenario());
    SameScenario.contradictions(results.manifest(), settings)
        .forEach(each -> found.add(name + "/" + each));
    scenarios
        .differences(results.manifest().scenario(), archive.getFileName().toString(), settings)
        .forEach(each -> found.add(name + ": " + each));
    Set<String> again = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    Map<RunRecord, List<String>> siblings = Siblings.contradictions(results);
    OptionalInt crashes = SameScenario.crashes(settings);
    for (RunRecord run : results.runs()) {
      Contradictions ofRun = new Contradictions();
      unplanned(run, results.manifest()).ifPresent(ofRun::add);
      siblings.getOrDefault(run, List.of()).forEach(ofRun::add);
      RawCrashes.compare(run, crashes, ofRun);
      RunDirectory folder = directory.run(run.id());
      try {
        RawLatencies latencies = RawLatencies.of(folder);
        ofRun.addAll(RawFigures.of(run, latencies, folder, results.manifest().phases()));
        copies
            .copy(archive, run, latencies)
            .ifPresent(
                each -> {
                  if (each.startsWith(Copies.AGAIN)) {
                    again.add(name + ": " + each);
                  } else {
                    ofRun.add(each);
                  }
                });
      } catch (UnreadableException e) {
        ofRun.add(e.getMessage().replace(before, ""));
      }
      unchecked.addAll(ofRun.unchecked());
      ofRun.found().forEach(each -> wrong.add("%s/runs/%s: %s".formatted(name, run.id(), each)));
    }
    found.addAll(again);
    wrong.stream().limit(MOST).forEach(found::add);
    if (wrong.size() > MOST) {
      found.add("%s: and %d more".formatted(name, wrong.size() - MOST));
    }
  }

  /** Returns the part of a record that its plan does not have. */
  private static Optional<String> unplanned(RunRecord run, Manifest plan) {
    if (!plan.engines().contains(run.engine())) {
      return Optional.of("the plan has no engine '%s'".formatted(run.engine()));
    }
    for (PhaseRecord phase : run.phases()) {
      if (!plan.phases().contains(phase.name())) {
        return Optional.of("the plan has no phase '%s'".formatted(phase.name()));
      }
    }
    for (Map.Entry<String, String> factor : run.factors().entrySet()) {
      if (!factor.getKey().equals(FSYNC) // an engine without a log has a level of its own
          && !plan.factors().getOrDefault(factor.getKey(), List.of()).contains(factor.getValue())) {
        return Optional.of("the plan has no %s=%s".formatted(factor.getKey(), factor.getValue()));
      }
    }
    return Optional.empty();
  }
}
