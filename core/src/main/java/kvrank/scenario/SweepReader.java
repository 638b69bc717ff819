package kvrank.scenario;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.workload.Operation;
import kvrank.workload.Pacing;
import kvrank.workload.Workload;

/** Reads {@code curve} and {@code search} of a phase. */
final class SweepReader {

  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?)%");
  private static final Pattern LATENCY = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(us|µs|ms|s)");

  private final Optional<YamlValue> curve;
  private final Optional<YamlValue> search;

  /** Asks {@code phase} for its keys. */
  SweepReader(YamlMap phase) {
    this.curve = phase.optional("curve");
    this.search = phase.optional("search");
  }

  /**
   * Returns what the phase says of its rates; empty if it says nothing, or something wrong.
   *
   * @param rate whether the phase has a rate of its own
   */
  Optional<Sweep> read(Workload workload, boolean load, boolean rate) {
    Optional<YamlValue> stated = curve.or(() -> search);
    if (stated.isPresent() && (load || workload.mix().drain() || rate)) {
      stated
          .get()
          .report(
              load
                  ? "does not apply to the load, which inserts every record once"
                  : rate
                      ? "sets the rate; leave 'rate' out"
                      : "does not apply to a workload that drains the store");
      return Optional.empty();
    }
    if (curve.isPresent() && search.isPresent()) {
      search.get().report("'search' and 'curve' exclude each other; make them two phases");
      return Optional.empty();
    }
    return curve
        .flatMap(SweepReader::curve)
        .or(() -> search.flatMap(element -> search(element, workload)));
  }

  private static Optional<Sweep> curve(YamlValue element) {
    List<Sweep.Rate> rates = new ArrayList<>();
    for (YamlValue item : element.items()) {
      item.text().flatMap(text -> rate(text, item)).ifPresent(rates::add);
    }
    if (element.isList() && element.items().isEmpty()) {
      element.report("needs at least one rate");
    }
    return rates.isEmpty() ? Optional.empty() : Optional.of(new Sweep.Curve(rates));
  }

  private static Optional<Sweep.Rate> rate(String text, YamlValue item) {
    Matcher percent = PERCENT.matcher(text);
    if (percent.matches()) {
      double share = Double.parseDouble(percent.group(1));
      if (share <= 0 || share > 200) {
        item.report("'" + text + "' must be greater than 0% and at most 200%");
        return Optional.empty();
      }
      return Optional.of(new Sweep.Rate(share, true));
    }
    Optional<String> rate = SettingFormat.read(Setting.RATE, item);
    if (rate.isPresent() && rate.get().equals(Pacing.UNLIMITED)) {
      item.report("'max' is no point of a curve; write a number or a percentage");
      return Optional.empty();
    }
    return rate.map(number -> new Sweep.Rate(Double.parseDouble(number), false));
  }

  private static Optional<Sweep> search(YamlValue element, Workload workload) {
    return element
        .section(
            section -> {
              Optional<YamlValue> metric = section.required("metric");
              Optional<YamlValue> below = section.required("below");
              Optional<Duration> bound = below.flatMap(SweepReader::latency);
              // Both are read before either is missed, so that both are reported.
              Optional<Sweep> sweep =
                  metric.flatMap(name -> search(name, bound.orElse(Duration.ZERO), workload));
              return bound.isPresent() ? sweep : Optional.<Sweep>empty();
            })
        .flatMap(sweep -> sweep);
  }

  private static Optional<Sweep> search(YamlValue metric, Duration below, Workload workload) {
    Optional<String> text = metric.text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int dot = text.get().lastIndexOf('.');
    Optional<Operation> operation =
        dot < 0 ? Optional.empty() : Operation.of(text.get().substring(0, dot));
    String statistic = text.get().substring(dot + 1);
    if (operation.isEmpty() || !workload.operations().contains(operation.get())) {
      metric.report(
          "'%s' names no operation of this workload; write one of %s and a statistic, such as %s"
              .formatted(
                  text.get(),
                  workload.operations().stream().map(Operation::label).toList(),
                  workload.mix().weights().firstKey().label() + ".p99"));
      return Optional.empty();
    }
    Optional<Metric> latency = Metrics.find(statistic).filter(Metrics.latencies()::contains);
    if (latency.isEmpty()) {
      List<String> valid = Metrics.latencies().stream().map(Metric::shortName).toList();
      metric.report(
          "unknown statistic '%s'%s".formatted(statistic, Suggestion.of(statistic, valid)));
    }
    return latency.map(found -> new Sweep.Search(operation.get(), found, below));
  }

  private static Optional<Duration> latency(YamlValue element) {
    return element
        .text()
        .flatMap(
            text -> {
              Optional<Duration> parsed = latency(text);
              if (parsed.isEmpty()) {
                element.report(
                    "'" + text + "' is not a latency; write a number and us, ms or s, such as 1ms");
              }
              return parsed;
            });
  }

  private static Optional<Duration> latency(String text) {
    Matcher matcher = LATENCY.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int digits =
        switch (matcher.group(2)) {
          case "s" -> 9;
          case "ms" -> 6;
          default -> 3;
        };
    long nanos = new BigDecimal(matcher.group(1)).movePointRight(digits).longValue();
    return nanos > 0 ? Optional.of(Duration.ofNanos(nanos)) : Optional.empty();
  }
}
