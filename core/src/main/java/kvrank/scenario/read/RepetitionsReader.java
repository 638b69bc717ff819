package kvrank.scenario.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import kvrank.input.Suggestion;
import kvrank.input.YamlValue;
import kvrank.scenario.EngineRow;
import kvrank.scenario.Repetitions;

/** Reads the number of repetitions, or the rule that decides it. */
final class RepetitionsReader {

  private static final int DEFAULT_MAX = 20;

  private RepetitionsReader() {}

  /** Reads {@code 5}, or {@code {at-least: 3, at-most: 20, until: separated}} and the budget. */
  static Repetitions read(YamlValue map, List<EngineRow> rows, Overrides overrides) {
    YamlValue stated = overrides.in(map, "repetitions");
    YamlValue inMap = stated.isMap() ? stated : stated.absent();
    YamlValue until = overrides.get("until", inMap.required("until"));
    Duration patience =
        overrides.in(map, "patience").duration("0s or one such as 2m").orElse(Repetitions.PATIENCE);
    YamlValue budget = overrides.in(map, "budget");
    if (!stated.isMap() && !until.isPresent()) {
      boolean inFile = budget == map.get("budget");
      if (budget.isPresent() && (stated == map.get("repetitions") || !inFile)) {
        budget.report(
            "a fixed number of repetitions has no budget; write repetitions: {until: separated}");
      }
      return Repetitions.fixed(
          stated.integer(1, Repetitions.MOST).map(Long::intValue).orElse(Repetitions.DEFAULT),
          patience);
    }
    YamlValue least = stated.isMap() ? stated.get("at-least") : stated;
    int atLeast =
        least
            .integer(Repetitions.DEFAULT, Repetitions.MOST_LOOKS - 1)
            .map(Long::intValue)
            .orElse(Repetitions.DEFAULT);
    int atMost = Math.max(atLeast + 1, DEFAULT_MAX);
    return new Repetitions(
        atLeast,
        inMap
            .get("at-most")
            .integer(atLeast + 1, Repetitions.MOST_LOOKS)
            .map(Long::intValue)
            .orElse(atMost),
        until.isMap()
            ? until
                .get("ratio")
                .number("at least 1.1 and at most 10", x -> x >= Repetitions.EQUAL && x <= 10)
                .orElse(Repetitions.EQUAL)
            : Repetitions.EQUAL,
        interval(until),
        compare(inMap.get("compare"), until, rows),
        budget(budget),
        patience);
  }

  private static List<List<String>> compare(
      YamlValue value, YamlValue until, List<EngineRow> rows) {
    SortedSet<String> engines = new TreeSet<>();
    rows.forEach(row -> engines.addAll(List.of(row.name(), row.label())));
    SortedSet<String> enginesOrBest = new TreeSet<>(engines);
    enginesOrBest.addAll(List.of(Repetitions.BEST, Repetitions.NEIGHBOURS));
    List<List<String>> comparisons = new ArrayList<>();
    for (YamlValue item : value.items("has nothing to compare; remove it")) {
      if (item.isList() && item.items().size() != 2) {
        item.report("expected two engines, such as [redis, rocksdb]");
      } else if (item.isList()) {
        comparisons.add(item.distinct(name -> name.oneOf("engine", engines)));
      } else {
        item.oneOf("engine", enginesOrBest).map(List::of).ifPresent(comparisons::add);
      }
    }
    if (value.isPresent() && until.isMap() && until.has("interval")) {
      value.report("has no effect with an interval; write until: separated or {ratio: 1.5}");
    }
    return value.isPresent() || (until.isMap() && until.has("interval"))
        ? List.copyOf(comparisons)
        : Repetitions.RANKS;
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
            "expected separated; a scenario file may also have {ratio: 1.5} or {interval: 5%}");
      }
      return Optional.empty();
    }
    if (until.has("interval") == until.has("ratio")) {
      until.report("expected separated, {ratio: 1.5} or {interval: 5%}");
    }
    return until
        .get("interval")
        .parsed(
            "is not a percentage; write one such as 5%",
            text ->
                Optional.of(text)
                    .filter(percent -> percent.matches("[0-9]{1,2}(\\.[0-9]+)?%"))
                    .map(percent -> Double.parseDouble(percent.replace("%", "")) / 100)
                    .filter(share -> share > 0));
  }
}
