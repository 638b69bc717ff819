package kvrank.results;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.fact.Unit;
import kvrank.metric.Expectation;
import kvrank.metric.Latency;
import kvrank.metric.Usage;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Setting;
import kvrank.workload.request.Operation;

/**
 * Refuses values that no execution writes: results may come from strangers. A check names the file
 * and the place of the first such value.
 */
record Plausibility(Path file) {

  /** As in a plan. */
  private static final int MOST_RUNS = 100_000;

  /** A report has each of them. */
  private static final int MOST_TABLES = 100;

  /** Phases, engines or factors of one execution. */
  private static final int MOST_NAMES = 10_000;

  /** Of one phase: those of every group. A report has figures, tables and charts of each. */
  private static final int MOST_OPERATIONS = GroupSpec.MOST * Operation.values().length;

  /** Facts of one run or phase. */
  private static final int MOST_FACTS = 20_000;

  private static final String THREADS = Setting.THREADS.label();

  private static final int LONGEST_NAME = 255;

  private static final Pattern NUMBER = Pattern.compile("[0-9]*");

  /** The digits of a number that is too large for a setting. */
  private static final int TOO_LONG = 16;

  /** Records, nanoseconds or bytes; sums of a thousand fit a {@code long}. */
  private static final long MOST_COUNTED = 1_000_000_000_000_000L;

  /** By how much throughput may differ from the counts and the duration: it is rounded nowhere. */
  private static final double TOLERANCE = 0.01;

  /** By how much a search may scale the throughput of a step to that of the rate it found. */
  private static final double SCALED = 4;

  /** Shares of different clocks may exceed 1. */
  private static final Map<Unit, Double> MOST_OF_UNIT =
      Map.of(Unit.SHARE, 2.0, Unit.COUNT, (double) MOST_COUNTED);

  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

  /** Checks a plan. */
  void require(Manifest plan) throws UnreadableException {
    names("runs", plan.runs(), MOST_RUNS);
    for (int i = 0; i < plan.runs().size(); i++) {
      String id = plan.runs().get(i);
      require(
          !id.matches("\\.*") && id.matches("[^/\\p{Cntrl}]+"),
          "runs[%d]: '%s' is not the name of a run",
          i,
          id);
    }
    names("engines", plan.engines(), MOST_NAMES);
    names("phases", plan.phases(), MOST_NAMES);
    names("factors", plan.factors().keySet(), MOST_NAMES);
    for (Map.Entry<String, List<String>> factor : plan.factors().entrySet()) {
      names("factors." + factor.getKey(), factor.getValue(), MOST_NAMES);
    }
    boolean looks = plan.adaptive().isPresent() || !plan.extended().isEmpty();
    most("repetitions", plan.repetitions(), looks ? Repetitions.MOST_LOOKS : Repetitions.MOST);
    rising("extended", plan.extended(), plan.repetitions());
    date("planned", plan.planned());
    most("expectations", plan.expectations().size(), MOST_NAMES);
    most("tables", plan.tables().size(), MOST_TABLES);
    for (Expectation each : plan.expectations()) {
      require(
          each.text().matches("\\S+\\s+\\S[^\\p{Cntrl}]*") && !each.cells().isEmpty(),
          "expectations: '%s' is not an expectation",
          each.text());
    }
    if (plan.adaptive().isPresent()) {
      Manifest.Adaptive until = plan.adaptive().get();
      require(
          until.atLeast() >= Repetitions.DEFAULT && until.atLeast() <= plan.repetitions(),
          "adaptive.atLeast: %d is not from %d to %d",
          until.atLeast(),
          Repetitions.DEFAULT,
          plan.repetitions());
      require(until.ratio() >= 1, "adaptive.ratio: %s is below 1", until.ratio());
      rising("adaptive.stopped", until.stopped(), plan.repetitions());
      require(
          until.stopped().size() <= plan.extended().size(),
          "adaptive.stopped: has more numbers than 'extended'");
      most("adaptive.compare", until.compare().size(), MOST_NAMES);
      for (List<String> pair : until.compare()) {
        require(
            pair.size() == 1 || pair.size() == 2,
            "adaptive.compare: %s is neither an engine nor a pair",
            pair);
      }
    }
  }

  /** Checks the results of option searches. */
  void require(List<Tuned> tunings) throws UnreadableException {
    most("tunings", tunings.size(), MOST_NAMES);
    for (Tuned tuned : tunings) {
      names("rows", tuned.rows(), MOST_NAMES);
      List<String> values = new ArrayList<>(tuned.rows());
      tuned.trials().forEach(trial -> values.add(trial.value()));
      for (String value : values) {
        require(value.matches("-?\\d{1,18}"), "tunings: '%s' is not a whole number", value);
      }
      require(
          !tuned.rows().isEmpty()
              || tuned.trials().stream().allMatch(trial -> trial.measured().isEmpty()),
          "tunings: '%s' of %s was measured, but has no rows",
          tuned.option(),
          tuned.engine());
    }
  }

  /** Checks the record of a run. */
  void require(RunRecord run) throws UnreadableException {
    most("repetition", run.repetition(), Repetitions.MOST);
    // The trials of a tuned option are repetition 0.
    require(run.repetition() >= 0, "repetition: %d is below 0", run.repetition());
    date("started", run.started());
    date("ended", run.ended());
    facts("facts", run.facts(), Level.RUN);
    settings("factors", run.factors());
    names("phases", run.phases().stream().map(PhaseRecord::name).toList(), MOST_NAMES);
    for (int i = 0; i < run.phases().size(); i++) {
      require("phases[" + i + "].", run.phases().get(i));
    }
    for (CrashTrialResult.Crash crash :
        run.crashTest().map(CrashTrialResult::crashes).orElse(List.of())) {
      most("crashTest.crashes.acknowledged", crash.acknowledged(), MOST_COUNTED);
      most("crashTest.crashes.repeated", crash.repeated().size(), MOST_NAMES);
      most("crashTest.crashes.hidden", crash.hidden().size(), MOST_NAMES);
      if (crash.lostWrites().isPresent()) {
        lostWrites(crash.lostWrites().get());
      }
      if (crash.powerCut().isPresent()) {
        most(
            "crashTest.crashes.powerCut.acknowledgedWhileFrozen",
            crash.powerCut().get().acknowledgedWhileFrozen(),
            MOST_COUNTED);
      }
    }
  }

  private void lostWrites(CrashTrialResult.LostWrites found) throws UnreadableException {
    String place = "crashTest.crashes.lostWrites.";
    most(place + "checked", found.checked(), MOST_COUNTED);
    most(place + "lostInserts", found.lostInserts(), MOST_COUNTED);
    most(place + "lostUpdates", found.lostUpdates(), MOST_COUNTED);
    most(place + "lostDeletes", found.lostDeletes(), MOST_COUNTED);
    most(place + "wrongValues", found.wrongValues(), MOST_COUNTED);
    most(place + "unexpectedKeys", found.unexpectedKeys(), MOST_COUNTED);
  }

  private void require(String place, PhaseRecord phase) throws UnreadableException {
    facts(place + "facts", phase.facts(), Level.PHASE);
    settings(place + "settings", phase.settings());
    most(place + "operations", phase.operations().size(), MOST_OPERATIONS);
    most(place + "points", phase.points().size(), MOST_NAMES);
    if (phase.resources().isPresent()) {
      usage(place + "resources.client", phase.resources().get().client());
      usage(place + "resources.server", phase.resources().get().server());
    }
    double counted = 0;
    for (Map.Entry<String, OperationRecord> each : phase.operations().entrySet()) {
      String at = place + "operations." + each.getKey() + ".";
      OperationRecord operation = each.getValue();
      most(at + "ok", operation.ok(), MOST_COUNTED);
      most(at + "notFound", operation.notFound(), MOST_COUNTED);
      most(at + "errors", operation.errors().size(), MOST_NAMES);
      for (Map.Entry<String, Long> error : operation.errors().entrySet()) {
        most(at + "errors." + error.getKey(), error.getValue(), MOST_COUNTED);
      }
      double perSecond = perSecond(phase, operation);
      counted += perSecond;
      require(
          scales(phase)
              .map(scale -> scale * perSecond)
              .anyMatch(
                  expected -> Math.abs(operation.throughput() - expected) <= TOLERANCE * expected),
          "%sthroughput: %s contradicts %d records in %d ns",
          at,
          operation.throughput(),
          operation.ok(),
          phase.elapsedNanos());
      latency(at + "latencyNanos", operation.latencyNanos());
    }
    require(
        phase.throughput() <= SCALED * counted,
        "%sthroughput: %s contradicts the counts, which give %s",
        place,
        phase.throughput(),
        counted);
    for (RatePoint point : phase.points()) {
      most(place + "points.latencyNanos", point.latencyNanos().size(), MOST_OPERATIONS);
      for (Map.Entry<String, Latency> each : point.latencyNanos().entrySet()) {
        latency(place + "points.latencyNanos." + each.getKey(), Optional.of(each.getValue()));
      }
    }
  }

  private void usage(String place, Optional<Usage> measured) throws UnreadableException {
    if (measured.isPresent()) {
      Usage usage = measured.get();
      require(
          usage.userSeconds() >= 0 && usage.systemSeconds() >= 0,
          "%s: CPU time is negative",
          place);
      require(
          usage.residentMeanBytes() >= 0 && usage.residentPeakBytes() >= usage.residentMeanBytes(),
          "%s: the peak of memory, %d, is below its mean, %d",
          place,
          usage.residentPeakBytes(),
          usage.residentMeanBytes());
    }
  }

  private void settings(String place, Map<String, String> settings) throws UnreadableException {
    most(place, settings.size(), MOST_NAMES);
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String value = setting.getValue();
      require(
          value.length() < TOO_LONG || !NUMBER.matcher(value).matches(),
          "%s.%s: '%s' is too large",
          place,
          setting.getKey(),
          value);
      require(
          !setting.getKey().equals(THREADS) || NUMBER.matcher(value).matches(),
          "%s.%s: '%s' is not a number",
          place,
          setting.getKey(),
          value);
    }
  }

  /** Returns the factors that the throughput of a phase may have: a search has its rate's. */
  private static DoubleStream scales(PhaseRecord phase) {
    double rate = phase.facts().number(Fact.SEARCH_RATE);
    return DoubleStream.concat(
        DoubleStream.of(1),
        phase.points().stream()
            .mapToDouble(point -> rate / point.asked())
            .filter(scale -> scale <= SCALED));
  }

  private static double perSecond(PhaseRecord phase, OperationRecord operation) {
    return phase.elapsedNanos() == 0 ? 0 : operation.ok() * 1e9 / phase.elapsedNanos();
  }

  private void latency(String place, Optional<Latency> measured) throws UnreadableException {
    if (measured.isEmpty()) {
      return;
    }
    Latency latency = measured.get();
    most(place + ".count", latency.count(), MOST_COUNTED);
    most(place + ".max", latency.max(), MOST_COUNTED);
    List<Long> rising = new ArrayList<>(List.of(latency.min()));
    for (var percentile :
        List.of(
            latency.p50(),
            latency.p90(),
            latency.p95(),
            latency.p99(),
            latency.p999(),
            latency.p9999())) {
      percentile.ifPresent(rising::add);
    }
    rising.add(latency.max());
    require(
        IntStream.range(1, rising.size()).allMatch(i -> rising.get(i) >= rising.get(i - 1)),
        "%s: %s do not rise from the minimum to the maximum",
        place,
        rising);
    require(
        latency.mean() >= (1 - TOLERANCE) * latency.min()
            && latency.mean() <= (1 + TOLERANCE) * latency.max(),
        "%s.mean: %s is not from the minimum to the maximum",
        place,
        latency.mean());
  }

  /** Checks facts: those with a unit are finite numbers, and shares and counts are not negative. */
  void facts(String place, Facts facts, Level level) throws UnreadableException {
    most(place, facts.asMap().size(), MOST_FACTS);
    for (Map.Entry<String, String> fact : facts.asMap().entrySet()) {
      Optional<Fact> declared = Fact.find(level, fact.getKey());
      if (declared.filter(found -> found.unit() != Unit.TEXT).isPresent()) {
        boolean possible = true;
        try {
          double number = number(fact.getValue());
          Double most = MOST_OF_UNIT.get(declared.get().unit());
          possible = most == null || (number >= 0 && number <= most);
        } catch (NumberFormatException e) {
          require(false, "%s.%s: '%s' is not a number", place, fact.getKey(), fact.getValue());
        }
        require(possible, "%s.%s: '%s' is not possible", place, fact.getKey(), fact.getValue());
      }
    }
  }

  /** Returns a count or a time of a CSV file; throws NumberFormatException if it is not one. */
  static long whole(String cell) {
    long number = Long.parseLong(cell);
    if (number < 0 || number > MOST_COUNTED) {
      throw new NumberFormatException("out of range");
    }
    return number;
  }

  /** Returns a finite number; throws NumberFormatException if it is not one. */
  static double number(String text) {
    double number = Double.parseDouble(text);
    // Java also reads 0x1p3 and 1d. Many cells of series pass here, so there is no pattern.
    boolean decimal =
        Character.isDigit(text.charAt(text.length() - 1))
            && text.indexOf('x') < 0
            && text.indexOf('X') < 0;
    if (!decimal || !Double.isFinite(number)) {
      throw new NumberFormatException("not a finite decimal");
    }
    return number;
  }

  private void names(String place, Collection<String> names, int most) throws UnreadableException {
    most(place, names.size(), most);
    Set<String> before = new HashSet<>();
    for (String name : names) {
      require(before.add(name), "%s: '%s' occurs twice", place, name);
      require(name.length() <= LONGEST_NAME, "%s: a name has %d characters", place, name.length());
    }
  }

  private void rising(String place, List<Integer> numbers, int most) throws UnreadableException {
    int before = 0;
    for (int number : numbers) {
      require(number > before && number <= most, "%s: %s do not rise to %d", place, numbers, most);
      before = number;
    }
  }

  private void date(String place, Instant date) throws UnreadableException {
    require(
        date.isAfter(FIRST) && date.isBefore(LAST),
        "%s: %s is not in this or the next century",
        place,
        date);
  }

  private void most(String place, long number, long most) throws UnreadableException {
    require(number <= most, "%s: %,d is too many; the most is %,d", place, number, most);
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private void require(boolean plausible, String message, Object... arguments)
      throws UnreadableException {
    if (!plausible) {
      throw new UnreadableException(
          "%s: %s; kvrank never writes that, so copy or measure it again"
              .formatted(file, Json.shortened(message.formatted(arguments))));
    }
  }
}
