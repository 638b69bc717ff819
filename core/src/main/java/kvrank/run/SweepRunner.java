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
import kvrank.metric.Latency;
import kvrank.plan.Plan;
import kvrank.plan.PlannedPhase;
import kvrank.results.Outcome;
import kvrank.results.RatePoint;
import kvrank.run.WorkerSession.Measurement;
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

  /** Returns what came of the sweep, with its steps; nothing more is said of one that broke. */
  Measurement measure(Sweep sweep) throws IOException, InterruptedException {
    Measurement result =
        sweep instanceof Sweep.Search search ? search(search) : curve((Sweep.Curve) sweep);
    return new Measurement(
        result.phase().with(points, result.written().isPresent() ? facts : new TreeMap<>()),
        result.written());
  }

  /**
   * Returns every rate of the curve. Percentages are of what a first, unlimited step reaches.
   *
   * @return the unlimited step if there was one, else the last; or the first one that broke
   */
  private Measurement curve(Sweep.Curve curve) throws IOException, InterruptedException {
    Measurement result = null;
    double reached = 0;
    if (curve.relative()) {
      result = step(0, Optional.empty());
      if (!result.completed()) {
        return result;
      }
      reached = result.phase().throughput();
    }
    boolean unlimited = result != null;
    for (Sweep.Rate rate : curve.rates()) {
      Measurement measurement = step(rate.of(reached), Optional.empty());
      if (!measurement.completed()) {
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
  private Measurement search(Sweep.Search search) throws IOException, InterruptedException {
    String bound = "%s < %s".formatted(search.metric().replace('.', ' '), search.bound());
    facts.put("search.bound", bound);
    facts.put("search.boundNanos", Long.toString(search.below().toNanos()));
    Measurement unlimited = step(0, Optional.of(search));
    double reached = unlimited.phase().throughput();
    if (!unlimited.completed() || reached <= 0) {
      return unlimited;
    }
    facts.put("search.unlimited", decimal(reached));
    RateSearch rates = new RateSearch(reached, Plan.SEARCH_STEPS);
    Measurement best = null;
    OptionalDouble next = rates.next();
    while (next.isPresent()) {
      Measurement measurement = step(next.getAsDouble(), Optional.of(search));
      if (!measurement.completed()) {
        return measurement;
      }
      boolean good = points.get(points.size() - 1).good();
      rates.tried(good);
      best = good ? measurement : best;
      next = rates.next();
    }
    if (best == null) {
      double lowest = points.stream().skip(1).mapToDouble(RatePoint::asked).min().orElse(0);
      return session.unmeasured(
          phase,
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
    if (measurement.written().isPresent()) {
      SortedMap<String, Latency> latencies = new TreeMap<>();
      measurement
          .phase()
          .operations()
          .forEach(
              (operation, record) ->
                  record.latencyNanos().ifPresent(each -> latencies.put(operation, each)));
      double achieved = measurement.phase().throughput();
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

  private static String rounded(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static String decimal(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
