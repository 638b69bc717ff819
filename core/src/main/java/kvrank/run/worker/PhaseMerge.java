package kvrank.run.worker;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.workload.request.Operation;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** Merges the results of one phase on several machines, in order of the generators. */
record PhaseMerge(List<Part> parts) {

  /** A phase is void if its machines started further apart than this share of it. */
  private static final double TOLERATED = 0.01;

  /** It is also void if a pause at the start took this share; busy machines cost less. */
  private static final double MISSED = 0.05;

  /** One generator's result and host. */
  record Part(int generator, Facts host, PhaseResult result, Clocks clocks) {

    private Facts facts() {
      return result.facts();
    }

    private long nanos(Fact fact) {
      return clocks.here(generator, facts().whole(fact));
    }

    /** Returns its own delay: at most its longest hiccup, which no engine causes. */
    private long lateNanos() {
      long late = nanos(Fact.GENERATOR_BEGAN_NANOS) - nanos(Fact.GENERATOR_AGREED_NANOS);
      return Math.min(late, facts().count(Fact.HICCUP_MAX_NANOS));
    }

    /** Returns the records that it added; for the first generator, with those before. */
    private long addedRecords() {
      long planned = facts().whole(Fact.GENERATOR_PLANNED_RECORDS);
      return facts().whole(Fact.RECORDS) - (generator == 0 ? 0 : planned);
    }

    private long operations() {
      Set<String> labels = result.operations().keySet();
      return result.operations().entrySet().stream()
          .filter(operation -> !Operation.withinTransaction(operation.getKey(), labels))
          .mapToLong(operation -> operation.getValue().ok())
          .sum();
    }

    private double perClient() {
      return (double) operations() / facts().whole(Fact.GENERATOR_CLIENTS);
    }

    private double busy() {
      double seconds = facts().number(Fact.CLIENT_CPU_SECONDS);
      return Double.isNaN(seconds) || result.elapsedNanos() == 0
          ? 0
          : seconds * 1e9 / result.elapsedNanos() / host.whole(Fact.GENERATOR_CORES);
    }
  }

  private LongStream times(Fact fact) {
    return parts.stream().mapToLong(part -> part.nanos(fact));
  }

  /** Returns the distance of their starts, as far as their clocks show. */
  private long spreadNanos() {
    return times(Fact.GENERATOR_AGREED_NANOS).max().orElse(0)
        - times(Fact.GENERATOR_AGREED_NANOS).min().orElse(0);
  }

  private long boundNanos() {
    return parts.stream()
        .mapToLong(part -> part.clocks().boundNanos(part.generator()))
        .max()
        .orElse(0);
  }

  private long elapsedNanos() {
    long end =
        parts.stream()
            .mapToLong(
                part -> part.nanos(Fact.GENERATOR_BEGAN_NANOS) + part.result().elapsedNanos())
            .max()
            .orElse(0);
    return end - times(Fact.GENERATOR_BEGAN_NANOS).min().orElse(0);
  }

  /** Returns the reason why the phase is void, if it is. */
  Optional<Failure> problem() {
    long elapsed = elapsedNanos();
    boolean timed = Boolean.parseBoolean(parts.get(0).facts().text(Fact.GENERATOR_TIMED));
    if (!timed) {
      return Optional.empty();
    }
    if (spreadNanos() + boundNanos() > TOLERATED * elapsed) {
      return apart(
          Cause.HARNESS,
          "%.1f ms apart, with a clock uncertainty of %.1f ms, in a phase of %.1f s",
          spreadNanos() / 1e6,
          boundNanos() / 1e6,
          elapsed / 1e9);
    }
    Part last = Collections.max(parts, Comparator.comparingLong(Part::lateNanos));
    return last.lateNanos() > MISSED * elapsed
        ? apart(
            Cause.MACHINE,
            "generator %d (on %s) stood still for %.1f ms of a phase of %.1f s",
            last.generator(),
            last.host().text(Fact.GENERATOR_HOST),
            last.lateNanos() / 1e6,
            elapsed / 1e9)
        : Optional.empty();
  }

  private static Optional<Failure> apart(Cause cause, String format, Object... arguments) {
    String reason = String.format(Locale.ROOT, format, arguments);
    return Optional.of(new Failure(cause, "the generators did not start together: " + reason));
  }

  PhaseResult result() {
    PhaseResult first = parts.get(0).result();
    SortedMap<String, OperationCount> operations = new TreeMap<>();
    long incorrect = 0;
    for (Part part : parts) {
      part.result()
          .operations()
          .forEach((operation, count) -> operations.merge(operation, count, PhaseMerge::sum));
      incorrect += part.result().incorrect();
    }
    return new PhaseResult(first.phase(), elapsedNanos(), operations, incorrect, facts());
  }

  private static OperationCount sum(OperationCount one, OperationCount other) {
    SortedMap<String, Long> errors = new TreeMap<>(one.errors());
    other.errors().forEach((status, count) -> errors.merge(status, count, Long::sum));
    return new OperationCount(one.ok() + other.ok(), one.notFound() + other.notFound(), errors);
  }

  private Facts facts() {
    Facts facts = Facts.merged(Level.PHASE, parts.stream().map(Part::facts).toList());
    if (parts.stream().allMatch(part -> part.facts().has(Fact.RECORDS))) {
      facts.put(Fact.RECORDS, parts.stream().mapToLong(Part::addedRecords).sum());
    }
    double median = new Median().evaluate(perClient().toArray());
    double share = median > 0 ? perClient().min().orElse(0) / median : 1;
    return facts
        .put(Fact.GENERATORS_LEAST_SHARE, share)
        .put(Fact.GENERATORS_BUSIEST, parts.stream().mapToDouble(Part::busy).max().orElse(0))
        .put(Fact.GENERATORS_SPREAD_NANOS, spreadNanos())
        .put(Fact.GENERATORS_CLOCK_BOUND_NANOS, boundNanos());
  }

  private DoubleStream perClient() {
    return parts.stream().mapToDouble(Part::perClient);
  }

  /** Returns the start of the measured time of each generator, by this machine's nanoTime. */
  List<Long> began() {
    return times(Fact.GENERATOR_BEGAN_NANOS).boxed().toList();
  }

  /** Returns a line of CSV for each generator. */
  String rows() {
    long first = times(Fact.GENERATOR_AGREED_NANOS).min().orElse(0);
    return parts.stream()
        .map(
            part ->
                String.join(
                    ",",
                    part.result().phase(),
                    Integer.toString(part.generator()),
                    part.host().text(Fact.GENERATOR_HOST),
                    part.host().text(Fact.GENERATOR_CORES),
                    part.facts().text(Fact.GENERATOR_CLIENTS),
                    Long.toString(part.operations()),
                    part.facts().text(Fact.CLIENT_CPU_SECONDS),
                    part.facts().text(Fact.HICCUP_P99_NANOS),
                    part.facts().text(Fact.HICCUP_MAX_NANOS),
                    Long.toString(part.nanos(Fact.GENERATOR_BEGAN_NANOS) - first),
                    Long.toString(part.clocks().ofDayNanos(part.generator())),
                    Long.toString(part.clocks().boundNanos(part.generator()))))
        .map(row -> row + "\n")
        .collect(Collectors.joining());
  }
}
