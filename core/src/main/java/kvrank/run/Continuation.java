package kvrank.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.input.InvalidInputException;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.results.ExecutionResults;
import kvrank.results.Json;
import kvrank.results.Manifest;
import kvrank.results.ResultsDirectory;
import kvrank.results.Tuned;
import kvrank.results.UnreadableException;
import kvrank.scenario.Scenario;
import kvrank.scenario.read.ScenarioReader;

/** Continues an interrupted or extended execution with the same scenario, kvrank and machine. */
public record Continuation(ResultsDirectory results) {

  /** Adds the fact that identifies the text of the scenario. */
  static void identify(String scenario, Facts facts) {
    facts.put(Fact.SCENARIO_CRC32, digest(scenario));
  }

  private static String digest(String text) {
    CRC32 digest = new CRC32();
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(digest.getValue());
  }

  /** Returns the plan of the whole execution; throws if the scenario or kvrank changed. */
  public Plan plan(ScenarioReader reader, String version, Optional<Integer> repetitions)
      throws InvalidInputException, UnreadableException {
    results.requireNoneNewer();
    ExecutionResults begun = results.read();
    Manifest manifest = begun.manifest();
    requireOwnText();
    Scenario scenario = scenario(reader, begun);
    Plan plan = Planner.plan(scenario);
    requireSame(identity(manifest), identity(Manifest.of(plan, version, manifest.planned())));
    requireSameText();
    int most = repetitions.orElse(manifest.repetitions());
    if (repetitions.isPresent() && most <= manifest.repetitions()) {
      throw new UnreadableException(
          "%s: has %d repetitions; give more than these to add some"
              .formatted(results.path(), manifest.repetitions()));
    }
    return most == manifest.originalRepetitions()
        ? plan
        : Planner.plan(scenario.with(scenario.repetitions().upTo(most)));
  }

  /** Returns the scenario, with tuned values after a completed search. */
  private Scenario scenario(ScenarioReader reader, ExecutionResults begun)
      throws InvalidInputException {
    Scenario scenario = reader.read(results.scenarioFile(), List.of(), List.of());
    return begun.manifest().engines().equals(Manifest.rows(scenario))
        ? scenario
        : scenario.tuned(Tuned.rowsByEngine(begun.tuned()));
  }

  /** Returns the properties that must not change, by name. */
  private static SortedMap<String, String> identity(Manifest manifest) {
    SortedMap<String, String> identity = new TreeMap<>();
    manifest
        .factors()
        .forEach((setting, values) -> identity.put(setting, String.join(", ", values)));
    identity.put("engines", String.join(", ", manifest.engines()));
    identity.put("phases", String.join(", ", manifest.phases()));
    identity.put("repetitions", Integer.toString(manifest.originalRepetitions()));
    if (manifest.adaptive().isPresent()) {
      Manifest.Adaptive until = manifest.adaptive().get();
      identity.put("at-least", Integer.toString(until.atLeast()));
      identity.put("until.ratio", Double.toString(until.ratio()));
      identity.put("until.interval", until.interval().map(String::valueOf).orElse("none"));
      identity.put("compare", until.compare().toString());
      identity.put("budget", until.budgetSeconds().map(seconds -> seconds + " s").orElse("none"));
    }
    identity.put("kvrank", manifest.kvrank());
    identity.put("seed", Long.toString(manifest.seed()));
    return identity;
  }

  /** Throws if the scenario may be a link to another file, whose text messages would quote. */
  private void requireOwnText() throws UnreadableException {
    try {
      TrustedPath.requireExisting(results.scenarioFile());
    } catch (IOException e) {
      throw new UnreadableException("cannot be resumed: " + Reason.located(e));
    }
    results.scenario();
  }

  private void requireSameText() throws UnreadableException {
    Facts environment = results.environment();
    if (!environment.has(Fact.SCENARIO_CRC32)) {
      throw new UnreadableException(
          "%s: has no '%s', so these results cannot be extended; start a new execution"
              .formatted(results.environmentFile(), Fact.SCENARIO_CRC32.label()));
    }
    if (!environment.text(Fact.SCENARIO_CRC32).equals(digest(results.scenario()))) {
      throw new UnreadableException(
          results.scenarioFile()
              + ": has changed since this execution began; start a new execution instead");
    }
  }

  /**
   * Checks that machine and commits are the same, and writes {@code plan} if it has more
   * repetitions.
   *
   * @param identity facts that name an execution
   */
  void reopen(Plan plan, Facts facts, Facts identity) throws UnreadableException, IOException {
    ExecutionResults begun = results.read();
    Facts then = results.environment();
    requireSame(machine(then), machine(facts));
    requireSame(commits(then, identity), commits(identity, then));
    if (plan.scenario().repetitions().atMost() > begun.manifest().repetitions()) {
      results.plan(Json.file(begun.manifest().replanned(plan).stopped(begun.repetitions())));
    }
  }

  private static SortedMap<String, String> machine(Facts facts) {
    SortedMap<String, String> machine = new TreeMap<>();
    ExecutionResults.MACHINE.forEach(
        fact ->
            ExecutionResults.compared(fact, facts)
                .ifPresent(value -> machine.put(fact.label(), value)));
    return machine;
  }

  /** Returns the commits, without {@code -dirty}, of what {@code other} names a commit of, too. */
  private static SortedMap<String, String> commits(Facts facts, Facts other) {
    Map<String, String> others = other.parts(Fact.COMMIT);
    SortedMap<String, String> commits = new TreeMap<>();
    facts
        .parts(Fact.COMMIT)
        .forEach(
            (name, commit) -> {
              if (others.containsKey(name)) {
                commits.put("the commit of " + name, commit.replaceFirst("-.*", ""));
              }
            });
    return commits;
  }

  private void requireSame(Map<String, String> before, Map<String, String> now)
      throws UnreadableException {
    SortedSet<String> names = new TreeSet<>(before.keySet());
    names.addAll(now.keySet());
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      String value = before.getOrDefault(name, "unknown");
      String valueNow = now.getOrDefault(name, "unknown");
      if (!value.equals(valueNow)) {
        differences.add("%s was %s, is %s".formatted(name, value, valueNow));
      }
    }
    if (!differences.isEmpty()) {
      throw new UnreadableException(
          "%s: cannot be resumed: %s; start a new execution instead"
              .formatted(results.path(), String.join("; ", differences)));
    }
  }
}
