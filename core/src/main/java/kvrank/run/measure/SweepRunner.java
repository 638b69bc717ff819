package kvrank.run.measure;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Latency;
import kvrank.metric.Metrics;
import kvrank.plan.PlannedPhase;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.RatePoint;
import kvrank.scenario.Sweep;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.workload.pace.Pacing;

/** Measures one phase at several rates, one stretch after the other on the same server. */
final class SweepRunner {

  /** The maximum factor by which a step of a search is extended. */
  private static final int LONGEST = 10;

  /** The target, as a multiple of the requests that a percentile needs. */
  private static final double ENOUGH = 1.2;

  private final PhaseSequence phases;
  private final PlannedPhase phase;
  private final List<RatePoint> points = new ArrayList<>();
  private final Facts facts = new Facts();
  private final Map<String, Integer> names = new HashMap<>();
  private BoundCheck last;

  SweepRunner(PhaseSequence phases, PlannedPhase phase) {
    this.phases = phases;
    this.phase = phase;
  }

  /** Returns the result of the sweep, with its steps; a broken one has no further facts. */
  Measurement measure(Sweep sweep) throws IOException, InterruptedException {
    Measurement result =
        sweep instanceof Sweep.Search search ? search(search) : curve((Sweep.Curve) sweep);
    return new Measurement(
        result.phase().with(points, result.written().isPresent() ? facts : new Facts()),
        result.written());
  }

  /** Returns the first, unlimited step, to which percentages refer, the last, or a broken one. */
  private Measurement curve(Sweep.Curve curve) throws IOException, InterruptedException {
    Measurement result = null;
    double reached = 0;
    if (curve.relative()) {
      result = step(0, 1, Optional.empty());
      reached = result.phase().throughput();
      if (!result.completed() || reached <= 0) {
        return result;
      }
    }
    for (Sweep.Rate rate : curve.rates()) {
      Measurement measurement = step(rate.of(reached), 1, Optional.empty());
      if (!measurement.completed()) {
        return measurement;
      }
      result = curve.relative() ? result : measurement;
    }
    return result;
  }

  /**
   * Returns the step within the bound that is closest to the found rate, with the throughput of
   * that rate; the first broken step; or the reason for neither.
   */
  private Measurement search(Sweep.Search search) throws IOException, InterruptedException {
    String bound = "%s < %s".formatted(search.metric().replace('.', ' '), search.bound());
    facts.put(Fact.SEARCH_BOUND, bound);
    facts.put(Fact.SEARCH_BOUND_NANOS, search.below().toNanos());
    Measurement unlimited = step(0, 1, Optional.of(search));
    double reached = unlimited.phase().throughput();
    if (!unlimited.completed() || reached <= 0) {
      return unlimited;
    }
    facts.put(Fact.SEARCH_UNLIMITED, decimal(reached));
    RateSearch rates = new RateSearch(reached, new Random().nextDouble());
    SortedMap<Double, Measurement> good = new TreeMap<>();
    String undetermined = "";
    for (OptionalDouble next = rates.next(); next.isPresent(); next = rates.next()) {
      double rate = next.getAsDouble();
      double times = times(search, rate / reached);
      int longer = (int) Math.max(1, Math.min(times, LONGEST));
      Measurement measurement = step(rate, longer, Optional.of(search));
      if (!measurement.completed()) {
        return measurement;
      }
      rates.tried(last.excess(), times > LONGEST);
      if (last.good()) {
        good.put(rate, measurement);
      } else if (last.undetermined()) {
        undetermined = "at %s/s: %s".formatted(rounded(rate), last.evidence());
        facts.put(Fact.SEARCH_UNDETERMINED, undetermined);
      }
    }
    if (rates.found().isPresent()) {
      double found = rates.found().getAsDouble();
      facts.put(Fact.SEARCH_RATE, decimal(found));
      double closest =
          Collections.min(
              good.keySet(), Comparator.comparing(rate -> Math.abs(Math.log(rate / found))));
      Measurement step = good.get(closest);
      return new Measurement(step.phase().scaled(found / closest), step.written());
    }
    double lowest = points.stream().skip(1).mapToDouble(RatePoint::asked).min().orElse(0);
    return phases.unmeasured(
        phase,
        undetermined.isEmpty()
            ? new Outcome.BoundNotMet(
                "%s at none of the rates from %s/s up".formatted(bound, rounded(lowest)))
            : new Outcome.Undetermined(
                "%s at no known rate, %s; give the phase more time"
                    .formatted(bound, undetermined)));
  }

  /** Returns the factor that gives a step enough requests, at this share of the unlimited rate. */
  private double times(Sweep.Search search, double share) {
    Latency unlimited = points.get(0).latencyNanos().get(search.operation().label());
    double expected = unlimited == null ? 0 : unlimited.count() * share;
    return Math.ceil(ENOUGH * Metrics.fewest(search.statistic()) / expected);
  }

  private Measurement step(double rate, int times, Optional<Sweep.Search> search)
      throws IOException, InterruptedException {
    String text = rate == 0 ? Pacing.UNLIMITED : Long.toString(Math.round(rate));
    String at = "%s@%s".formatted(phase.name(), text);
    int same = names.merge(at, 1, Integer::sum);
    String name = same == 1 ? at : at + "-" + same;
    Measurement measurement =
        phases.measure(phase, name, new WorkerCommand.StartAtRate(phase.name(), rate, times, name));
    if (measurement.written().isPresent()) {
      SortedMap<String, Latency> latencies = new TreeMap<>();
      SortedMap<String, OperationRecord> operations = measurement.phase().operations();
      operations.forEach(
          (operation, record) ->
              record.latencyNanos().ifPresent(latency -> latencies.put(operation, latency)));
      double achieved = measurement.phase().throughput();
      last = BoundCheck.of(search, rate, achieved, latencies);
      points.add(new RatePoint(rate, achieved, latencies, last.good(), last.evidence()));
    }
    return measurement;
  }

  /** Returns three significant digits without an exponent. */
  static String rounded(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static String decimal(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
