package kvrank.run;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.plan.Plan;
import kvrank.plan.PlannedPhase;
import kvrank.results.Latency;
import kvrank.results.Outcome;
import kvrank.results.RatePoint;
import kvrank.scenario.Sweep;
import kvrank.worker.WorkerPhase;

/** Measures one phase at several rates, one stretch after the other on the same server. */
final class SweepRunner {

  /** An engine that achieves less than this share of the rate that was asked is saturated. */
  private static final double KEPT = 0.95;

  private final WorkerSession session;
  private final PlannedPhase phase;
  private final List<RatePoint> points = new ArrayList<>();
  private final SortedMap<String, String> facts = new TreeMap<>();

  SweepRunner(WorkerSession session, PlannedPhase phase) {
    this.session = session;
    this.phase = phase;
  }

  /** Returns the steps so far, in order. */
  List<RatePoint> points() {
    return points;
  }

  /** Returns what there is to say of the sweep as a whole. */
  SortedMap<String, String> facts() {
    return facts;
  }

  /**
   * Returns every rate of the curve. Percentages are of what a first, unlimited step reaches.
   *
   * @return the unlimited step if there was one, else the last; or the first one that broke
   */
  Measurement curve(Sweep.Curve curve) throws IOException, InterruptedException {
    Measurement result = null;
    double reached = 0;
    if (curve.relative()) {
      result = step(0, Optional.empty());
      if (!(result instanceof Measurement.Measured measured) || !completed(result)) {
        return result;
      }
      reached = measured.measurements().throughput();
    }
    boolean unlimited = result != null;
    for (Sweep.Rate rate : curve.rates()) {
      Measurement measurement = step(rate.of(reached), Optional.empty());
      if (!completed(measurement)) {
        return measurement;
      }
      result = unlimited ? result : measurement;
    }
    return result;
  }

  /**
   * Looks for the highest rate at which the latency stays below the bound.
   *
   * @return the step at that rate; or the first one that broke; or why there is no such rate
   */
  Measurement search(Sweep.Search search) throws IOException, InterruptedException {
    String bound = "%s < %s".formatted(search.metric().replace('.', ' '), search.bound());
    facts.put("search.bound", bound);
    facts.put("search.boundNanos", Long.toString(search.below().toNanos()));
    Measurement unlimited = step(0, Optional.of(search));
    if (!(unlimited instanceof Measurement.Measured first)
        || !completed(unlimited)
        || first.measurements().throughput() <= 0) {
      return unlimited;
    }
    facts.put("search.unlimited", decimal(first.measurements().throughput()));
    RateSearch rates = new RateSearch(first.measurements().throughput(), Plan.SEARCH_STEPS);
    Measurement best = null;
    OptionalDouble next = rates.next();
    while (next.isPresent()) {
      Measurement measurement = step(next.getAsDouble(), Optional.of(search));
      if (!completed(measurement)) {
        return measurement;
      }
      boolean good = points.get(points.size() - 1).good();
      rates.tried(good);
      best = good ? measurement : best;
      next = rates.next();
    }
    if (best == null) {
      double lowest = points.stream().skip(1).mapToDouble(RatePoint::asked).min().orElse(0);
      return new Measurement.Broken(
          new Outcome.BoundNotMet(
              "%s at none of the rates from %s/s up".formatted(bound, rounded(lowest))));
    }
    facts.put("search.rate", decimal(rates.best().orElseThrow()));
    return best;
  }

  private Measurement step(double rate, Optional<Sweep.Search> search)
      throws IOException, InterruptedException {
    String name = WorkerPhase.stepName(phase.name(), rate);
    Measurement measurement =
        session.measure(phase, name, "start %s rate %s".formatted(phase.name(), decimal(rate)));
    if (measurement instanceof Measurement.Measured measured) {
      SortedMap<String, Latency> latencies = new TreeMap<>();
      measured
          .measurements()
          .operations()
          .forEach(
              (operation, record) ->
                  record.latencyNanos().ifPresent(each -> latencies.put(operation, each)));
      double achieved = measured.measurements().throughput();
      boolean kept = rate == 0 || achieved >= KEPT * rate;
      boolean bounded = search.isEmpty() || within(search.get(), latencies);
      points.add(new RatePoint(rate, achieved, latencies, kept && bounded));
    }
    return measurement;
  }

  /** Returns whether the bound is met; a percentile that the sample does not support meets none. */
  private static boolean within(Sweep.Search search, SortedMap<String, Latency> latencies) {
    Latency latency = latencies.get(search.operation().label());
    return latency != null
        && search.statistic().value(latency).orElse(Double.MAX_VALUE) < search.below().toNanos();
  }

  private static boolean completed(Measurement measurement) {
    return measurement.outcome() instanceof Outcome.Completed;
  }

  private static String rounded(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static String decimal(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
