package kvrank.run;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import kvrank.scenario.Reason;
import kvrank.worker.Host;
import kvrank.worker.OperationCount;
import kvrank.worker.PhaseResult;
import kvrank.workload.Operation;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** The results of one phase on several machines, in order of the generators, as those of one. */
record PhaseMerge(List<Part> parts) {

  /** A phase is void whose machines were not at once there for this part of it. */
  private static final double TOLERATED = 0.01;

  /**
   * So is one of which a machine missed this part, as it stood still at the start. Less than that
   * is what a busy machine does to any thread.
   */
  private static final double MISSED = 0.05;

  private static final Set<String> SUMS =
      Set.of(
          "compensation.records",
          "client.cpuSeconds",
          "client.heapBytes",
          "client.heapCommittedBytes",
          "gc.count",
          "rate.achieved",
          "rate.unsent",
          "reads.hits",
          "reads.misses",
          "stale.reads");

  /** From the best to the worst. */
  private static final List<String> STEADY = List.of("yes", "unknown", "no");

  private static final Set<String> WORST =
      Set.of("gc.pauseMillis", "hiccup.p99Nanos", "hiccup.maxNanos", "warmup.nanos");

  /** What one generator did, and what it says of its host. */
  record Part(int generator, SortedMap<String, String> host, PhaseResult result, Clocks clocks) {

    private long nanos(String fact) {
      return clocks.here(generator, Long.parseLong(result.facts().get(fact)));
    }

    /**
     * By how much it began to count late for a reason of its own: no later than its hiccup monitor,
     * which waits for no engine.
     */
    private long lateNanos() {
      String hiccup = fact("hiccup.maxNanos");
      long late = nanos(PhaseResult.BEGAN) - nanos(PhaseResult.AGREED);
      return Math.min(late, hiccup.isEmpty() ? 0 : Long.parseLong(hiccup));
    }

    private String fact(String name) {
      return result.facts().getOrDefault(name, "");
    }

    private long operations() {
      return result.operations().values().stream().mapToLong(OperationCount::ok).sum();
    }

    private double perClient() {
      return (double) operations() / Long.parseLong(fact(PhaseResult.CLIENTS));
    }

    /** The part of its CPUs that it used. */
    private double busy() {
      String seconds = fact("client.cpuSeconds");
      return seconds.isEmpty() || result.elapsedNanos() == 0
          ? 0
          : Double.parseDouble(seconds)
              * 1e9
              / result.elapsedNanos()
              / Integer.parseInt(host.get(Host.CORES));
    }
  }

  private LongStream times(String fact) {
    return parts.stream().mapToLong(part -> part.nanos(fact));
  }

  /** By how much they were not at one, as far as their clocks tell. */
  private long spreadNanos() {
    return times(PhaseResult.AGREED).max().orElse(0) - times(PhaseResult.AGREED).min().orElse(0);
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
            .mapToLong(part -> part.nanos(PhaseResult.BEGAN) + part.result().elapsedNanos())
            .max()
            .orElse(0);
    return end - times(PhaseResult.BEGAN).min().orElse(0);
  }

  /** Returns why the phase is void, if it is. */
  Optional<String> problem() {
    long elapsed = elapsedNanos();
    boolean timed = Boolean.parseBoolean(parts.get(0).fact(PhaseResult.TIMED));
    if (!timed) {
      return Optional.empty();
    }
    if (spreadNanos() + boundNanos() > TOLERATED * elapsed) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              Reason.BEGAN_APART
                  + ": %.1f ms apart, by clocks that are known to %.1f ms, of a phase of %.1f s",
              spreadNanos() / 1e6,
              boundNanos() / 1e6,
              elapsed / 1e9));
    }
    Part last = Collections.max(parts, Comparator.comparingLong(Part::lateNanos));
    return last.lateNanos() > MISSED * elapsed
        ? Optional.of(
            String.format(
                Locale.ROOT,
                Reason.BEGAN_APART
                    + ": generator %d (on %s) stood still for %.1f ms of a phase of %.1f s",
                last.generator(),
                last.host().get(Host.NAME),
                last.lateNanos() / 1e6,
                elapsed / 1e9))
        : Optional.empty();
  }

  /** Returns the result of all together. */
  PhaseResult result() {
    PhaseResult first = parts.get(0).result();
    SortedMap<Operation, OperationCount> operations = new TreeMap<>();
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

  private SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    long records = 0;
    for (Part part : parts) {
      part.result().facts().forEach((name, value) -> facts.merge(name, value, merging(name)));
      // Each counts what it added to the records that all began with.
      long planned = Long.parseLong(part.fact(PhaseResult.PLANNED));
      records += Long.parseLong(part.fact("records")) - (part.generator() == 0 ? 0 : planned);
    }
    facts.put("records", Long.toString(records));
    facts.keySet().removeIf(name -> name.startsWith("generator."));
    double median = new Median().evaluate(perClient().toArray());
    double share = median > 0 ? perClient().min().orElse(0) / median : 1;
    facts.put("generators.leastShare", text(share));
    facts.put("generators.busiest", text(parts.stream().mapToDouble(Part::busy).max().orElse(0)));
    facts.put("generators.spreadNanos", Long.toString(spreadNanos()));
    facts.put("generators.clockBoundNanos", Long.toString(boundNanos()));
    return facts;
  }

  private DoubleStream perClient() {
    return parts.stream().mapToDouble(Part::perClient);
  }

  /** Returns how two machines' facts of that name become one: their sum, or the worse one. */
  private static BinaryOperator<String> merging(String name) {
    if (SUMS.contains(name)) {
      return (one, other) ->
          new BigDecimal(one).add(new BigDecimal(other)).stripTrailingZeros().toPlainString();
    }
    if (WORST.contains(name)) {
      return (one, other) -> Long.parseLong(one) < Long.parseLong(other) ? other : one;
    }
    return switch (name) {
      case "steady", "hits.level" ->
          (one, other) -> STEADY.indexOf(one) < STEADY.indexOf(other) ? other : one;
      case "drift" -> (one, other) -> drift(one) < drift(other) ? other : one;
      default -> (one, other) -> one;
    };
  }

  private static double drift(String factor) {
    return Math.abs(Math.log(Double.parseDouble(factor)));
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /** Returns a line of CSV for each generator. */
  String rows() {
    long first = times(PhaseResult.AGREED).min().orElse(0);
    return parts.stream()
        .map(
            part ->
                String.join(
                    ",",
                    part.result().phase(),
                    Integer.toString(part.generator()),
                    part.host().get(Host.NAME),
                    part.host().get(Host.CORES),
                    part.fact(PhaseResult.CLIENTS),
                    Long.toString(part.operations()),
                    part.fact("client.cpuSeconds"),
                    part.fact("hiccup.p99Nanos"),
                    part.fact("hiccup.maxNanos"),
                    Long.toString(part.nanos(PhaseResult.BEGAN) - first),
                    Long.toString(part.clocks().ofDayNanos(part.generator())),
                    Long.toString(part.clocks().boundNanos(part.generator()))))
        .map(row -> row + "\n")
        .collect(Collectors.joining());
  }
}
