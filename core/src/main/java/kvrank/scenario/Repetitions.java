package kvrank.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How often each engine runs at each factor point.
 *
 * @param atLeast as often as that before anyone looks at the values
 * @param atMost not more often; the same if the number is fixed
 * @param ratio how far two engines may be apart for their comparison to be settled although they
 *     are not separated
 * @param interval how far the interval of a throughput may reach to each side for that to be known,
 *     as a share of it; empty if what is asked is which engines are separated
 * @param compare what the repetitions are to settle: two engines, or one with which each other one
 *     is compared; {@link #BEST} is the best of a phase, and if there are none, it is asked about
 * @param budget how long all runs may take together
 * @param patience how long to wait in all until others leave the machine alone; zero to measure at
 *     once, and what others disturbed only once
 */
public record Repetitions(
    int atLeast,
    int atMost,
    double ratio,
    Optional<Double> interval,
    List<List<String>> compare,
    Optional<Duration> budget,
    Duration patience) {

  /** What stands for the engine with the best throughput. */
  public static final String BEST = "best";

  /** Two engines are called equal within that. */
  public static final double EQUAL = 1.1;

  /** The patience of a scenario that does not say. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  static final int DEFAULT = 3;

  /** What a scenario's repetitions may be at most. */
  static final int MOST = 1_000;

  /** With so many looks at the values the levels of the single ones are still of use. */
  public static final int MOST_LOOKS = 100;

  private static final int DEFAULT_MOST = 20;

  public static Repetitions fixed(int repetitions) {
    return fixed(repetitions, PATIENCE);
  }

  private static Repetitions fixed(int repetitions, Duration patience) {
    return new Repetitions(
        repetitions, repetitions, EQUAL, Optional.empty(), List.of(), Optional.empty(), patience);
  }

  /** Returns more of them, at most {@code most}; who adds some has the time. */
  public Repetitions upTo(int most) {
    return adaptive()
        ? new Repetitions(atLeast, most, ratio, interval, compare, Optional.empty(), patience)
        : fixed(most, patience);
  }

  /** Returns whether the values decide when there are enough. */
  public boolean adaptive() {
    return atMost > atLeast;
  }

  /** Reads {@code 5}, or {@code {at-least: 3, at-most: 20, until: separated}} and the budget. */
  static Repetitions read(YamlValue map, List<EngineRow> rows, Overrides overrides) {
    YamlValue stated = overrides.in(map, "repetitions");
    YamlValue inMap = stated.isMap() ? stated : stated.absent();
    YamlValue until = overrides.get("until", inMap.required("until"));
    Duration patience =
        overrides.in(map, "patience").duration("0s or one such as 2m").orElse(PATIENCE);
    YamlValue budget = overrides.in(map, "budget");
    if (!stated.isMap() && !until.isPresent()) {
      boolean inFile = budget == map.get("budget");
      if (budget.isPresent() && (stated == map.get("repetitions") || !inFile)) {
        budget.report(
            "a fixed number of repetitions has no budget; write repetitions: {until: separated}");
      }
      return fixed(stated.integer(1, MOST).map(Long::intValue).orElse(DEFAULT), patience);
    }
    YamlValue least = stated.isMap() ? stated.get("at-least") : stated;
    int atLeast = least.integer(DEFAULT, MOST_LOOKS - 1).map(Long::intValue).orElse(DEFAULT);
    int atMost = Math.max(atLeast + 1, DEFAULT_MOST);
    return new Repetitions(
        atLeast,
        inMap.get("at-most").integer(atLeast + 1, MOST_LOOKS).map(Long::intValue).orElse(atMost),
        until.isMap()
            ? until
                .get("ratio")
                .number("at least 1.1 and at most 10", x -> x >= EQUAL && x <= 10)
                .orElse(EQUAL)
            : EQUAL,
        interval(until),
        compare(inMap.get("compare"), until, rows),
        budget(budget),
        patience);
  }

  private static List<List<String>> compare(
      YamlValue value, YamlValue until, List<EngineRow> rows) {
    SortedSet<String> engines = new TreeSet<>();
    rows.forEach(row -> engines.addAll(List.of(row.name(), row.label())));
    SortedSet<String> one = new TreeSet<>(engines);
    one.add(BEST);
    List<List<String>> asked = new ArrayList<>();
    for (YamlValue item : value.items("names nothing to compare; leave it out")) {
      if (item.isList() && item.items().size() != 2) {
        item.report("expected two engines, such as [redis, rocksdb]");
      } else if (item.isList()) {
        asked.add(item.distinct(name -> name.oneOf("engine", engines)));
      } else {
        item.oneOf("engine", one).map(List::of).ifPresent(asked::add);
      }
    }
    if (value.isPresent() && until.isMap() && until.has("interval")) {
      value.report("an interval is an engine's own; write until: separated or {ratio: 1.5}");
    }
    return List.copyOf(asked);
  }

  private static Optional<Duration> budget(YamlValue value) {
    String next = "a number and s, m or h, such as 20m";
    Optional<Duration> budget = value.duration(next);
    return budget.filter(Duration::isZero).isPresent()
        ? value.report("'%s' is not a duration; write %s", value.text().get(), next)
        : budget;
  }

  private static Optional<Double> interval(YamlValue until) {
    if (!until.isMap()) {
      Map<String, String> ends = Map.of("separated", "separated");
      if (until.text().flatMap(text -> Suggestion.nearest(text, ends.keySet())).isPresent()) {
        until.choice("end", ends);
      } else {
        until.report(
            "expected separated, or in the scenario's file {ratio: 1.5} or {interval: 5%}");
      }
      return Optional.empty();
    }
    if (until.has("interval") == until.has("ratio")) {
      until.report("expected separated, {ratio: 1.5} or {interval: 5%}");
    }
    return until
        .get("interval")
        .parsed(
            "is not a share; write one such as 5%",
            text ->
                Optional.of(text)
                    .filter(each -> each.matches("[0-9]{1,2}(\\.[0-9]+)?%"))
                    .map(each -> Double.parseDouble(each.replace("%", "")) / 100)
                    .filter(share -> share > 0));
  }
}
