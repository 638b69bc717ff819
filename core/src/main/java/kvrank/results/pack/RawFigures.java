package kvrank.results.pack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import kvrank.fact.Fact;
import kvrank.results.CounterSeries;
import kvrank.results.LatencyLog;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.results.ResourceSeries;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.Timeline;
import kvrank.results.UnreadableException;
import kvrank.workload.request.Operation;

/**
 * Compares the record of a run with the raw files beside it. kvrank computed the figures from these
 * files, or the files bound them: histograms give latencies and times, the timeline gives counts,
 * and samples give resources.
 */
final class RawFigures {

  /** The wall clock may be set during a run. */
  private static final double CLOCK_SECONDS = 10;

  /** A search may find a rate a little above those that it tried. */
  private static final double BEYOND = 0.02;

  private final RunRecord run;
  private final RawLatencies latencies;
  private final RawTimeline timeline;
  private final RawStretch stretch;
  private final RawUsage usage;
  private final RawStorage storage;
  private final RawFacts facts;
  private final RawCounters counters;
  private final Contradictions found = new Contradictions();

  private RawFigures(RunRecord run, RawLatencies latencies, RunDirectory folder)
      throws UnreadableException {
    RawSamples samples = new RawSamples(ResourceSeries.read(folder.resources()));
    this.run = run;
    this.latencies = latencies;
    this.timeline = new RawTimeline(Timeline.read(folder.timeline()));
    this.stretch = new RawStretch(run, latencies, timeline, samples);
    this.usage = new RawUsage(samples);
    this.storage = new RawStorage(samples);
    this.facts = new RawFacts(run, timeline);
    this.counters = new RawCounters(CounterSeries.read(folder.counters()));
  }

  /**
   * Compares a record with the files in its folder.
   *
   * @param latencies those of the folder
   * @param planned the phases of the scenario
   * @throws UnreadableException if a file is broken
   */
  static Contradictions of(
      RunRecord run, RawLatencies latencies, RunDirectory folder, List<String> planned)
      throws UnreadableException {
    RawFigures figures = new RawFigures(run, latencies, folder);
    figures.compare(planned);
    return figures.found;
  }

  private void compare(List<String> planned) {
    for (String phase : planned) {
      if (timeline.stretches().contains(phase)
          && run.phases().stream().noneMatch(each -> each.name().equals(phase))) {
        found.add("phases: has no %s, unlike %s".formatted(phase, RawTimeline.FILE));
      }
    }
    double seconds = run.time().toNanos() / 1e9;
    double start = run.started().toEpochMilli() / 1e3;
    latencies
        .started()
        .ifPresent(
            log ->
                found.between(
                    "started, in seconds after the start of " + RawLatencies.FILE,
                    start - log,
                    -seconds,
                    0,
                    CLOCK_SECONDS,
                    "the run"));
    double end = 0;
    for (PhaseRecord phase : run.phases()) {
      if (phase.outcome() instanceof Outcome.Completed) {
        List<String> steps = steps(phase);
        if (steps.isEmpty()) {
          found.addAll(compared(phase, phase.name(), 1));
          end = order(phase.name(), end, seconds);
        } else {
          sweep(phase, steps);
          for (String step : steps) {
            end = order(step, end, seconds);
          }
        }
      }
    }
    usage.compare(run, found);
    storage.compare(run, found);
  }

  /** Checks that a stretch began after the previous one and ended in the run; returns its end. */
  private double order(String name, double before, double seconds) {
    double end = before;
    for (LatencyLog.Recorded each : latencies.of(name).values()) {
      double own = each.interval().end();
      found.atMost(name + ": its end", own, seconds, RawStretch.MILLIS, "the time of the run");
      if (each.interval().start() < before - RawStretch.MILLIS) {
        found.add(name + ": begins before the end of the phase before it");
      }
      end = Math.max(end, own);
    }
    return end;
  }

  private Contradictions compared(PhaseRecord phase, String name, double scale) {
    Contradictions ofStretch = new Contradictions();
    stretch.compare(phase, name, scale, ofStretch);
    facts.compare(phase, name, ofStretch);
    counters.compare(phase, name, ofStretch);
    usage.compare(phase, name, ofStretch);
    storage.compare(phase, name, ofStretch);
    return ofStretch;
  }

  /** Returns the names of the steps of a sweep in the raw files; none for other phases. */
  private static List<String> steps(PhaseRecord phase) {
    Map<String, Integer> seen = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (RatePoint point : phase.points()) {
      String rate = point.asked() == 0 ? "max" : Long.toString(Math.round(point.asked()));
      String name = phase.name() + "@" + rate;
      int times = seen.merge(name, 1, Integer::sum);
      names.add(times == 1 ? name : name + "-" + times);
    }
    return names;
  }

  /** Compares the steps of a sweep; one of them gives the figures of the phase. */
  private void sweep(PhaseRecord phase, List<String> steps) {
    double rate = phase.facts().number(Fact.SEARCH_RATE);
    List<Contradictions> candidates = new ArrayList<>();
    double highest = 0;
    for (int i = 0; i < steps.size(); i++) {
      RatePoint point = phase.points().get(i);
      step(point, steps.get(i));
      boolean scaled = rate > 0 && point.asked() > 0;
      candidates.add(compared(phase, steps.get(i), scaled ? rate / point.asked() : 1));
      highest = Math.max(highest, point.asked());
    }
    if (rate > 0) {
      found.atMost(phase.name() + ": search.rate", rate, highest, BEYOND * highest, "points");
    }
    candidates.stream()
        .min(Comparator.comparingInt(each -> each.found().size()))
        .ifPresent(found::addAll);
  }

  private void step(RatePoint point, String name) {
    SortedMap<String, LatencyLog.Recorded> raw = latencies.of(name);
    raw.forEach(
        (label, recorded) ->
            RawLatencies.compare(
                name + ", " + label,
                Optional.ofNullable(point.latencyNanos().get(label)),
                Optional.of(recorded.histogram()),
                found));
    SortedSet<String> labels = timeline.labels(name);
    double records =
        labels.stream()
            .filter(label -> !Operation.withinTransaction(label, labels))
            .mapToLong(label -> timeline.measured(name, label, Timeline.Interval::ok))
            .sum();
    double seconds = raw.values().stream().mapToDouble(RawStretch::seconds).max().orElse(0);
    double perSecond = seconds > 0 ? records / seconds : 0;
    double slack = seconds > 0 ? perSecond * (RawStretch.RATE + RawStretch.MILLIS / seconds) : 0;
    found.near(name + ": achieved", point.achieved(), perSecond, slack, RawTimeline.FILE);
  }
}
