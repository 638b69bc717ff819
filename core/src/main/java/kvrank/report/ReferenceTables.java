package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Unit;
import kvrank.report.chart.Chart;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The tables that a scenario asks for by {@code table}, each set after a published document. */
final class ReferenceTables {

  /** How every one of them writes what the data cannot tell. */
  static final String LEGEND =
      "Values are medians of the repetitions. \"tied\": the data cannot separate them; \"?\": fewer"
          + " than 3 repetitions, by the value alone.";

  private ReferenceTables() {}

  /** The tables in the order of their document; none if the scenario asks for none. */
  static List<Block> of(RankingIndex board, Exclusions exclusions, KvbenchTables.Ties ties) {
    return switch (board.results().manifest().table().orElse("")) {
      case KvbenchTables.NAME -> new KvbenchTables(board, exclusions, ties).blocks();
      case HeadToHeadTables.NAME -> new HeadToHeadTables(board).blocks();
      case SizesAndConnectionsTables.NAME -> new SizesAndConnectionsTables(board).blocks();
      case BenchtoolTables.NAME -> new BenchtoolTables(board).blocks();
      case EntriesAndBatchesTables.NAME -> new EntriesAndBatchesTables(board).blocks();
      default -> List.of();
    };
  }

  /** The charts that go with the tables. */
  static List<Chart> charts(RankingIndex board) {
    return board
            .results()
            .manifest()
            .table()
            .filter(SizesAndConnectionsTables.NAME::equals)
            .isPresent()
        ? new SizesAndConnectionsCharts(board).charts()
        : List.of();
  }

  /** The factor points, those together that differ in {@code factors} alone; in order. */
  static Collection<List<List<Group>>> scenes(RankingIndex board, Set<String> factors) {
    Map<SortedMap<String, String>, List<List<Group>>> scenes = new LinkedHashMap<>();
    for (List<Group> wholes : board.wholesByPoint()) {
      SortedMap<String, String> rest = new TreeMap<>(wholes.get(0).factors());
      rest.keySet().removeAll(factors);
      scenes.computeIfAbsent(rest, any -> new ArrayList<>()).add(wholes);
    }
    return scenes.values();
  }

  /** Where a scene is: its durability, and what varies beside {@code factors}. */
  static String place(Group group, Set<String> factors) {
    List<String> parts = new ArrayList<>(List.of(group.point().split(", ", -1)));
    parts.removeIf(part -> part.isEmpty() || factors.contains(part.split("=", -1)[0]));
    return parts.isEmpty() ? "" : " at " + String.join(", ", parts);
  }

  /** The operations of the phases, one group each. */
  static List<Group> operations(RankingIndex board, List<Group> wholes) {
    return wholes.stream().flatMap(whole -> board.operations(whole).stream()).toList();
  }

  /** For example {@code SET}; with the operation where a phase has several. */
  static String label(RankingIndex board, Group operation) {
    String phase = operation.phase().toUpperCase(Locale.ROOT);
    return board.operations(operation).size() > 1
        ? phase + " " + operation.operation().orElseThrow()
        : phase;
  }

  /** A factor's value, digits grouped if it is a number. */
  static String factor(Group group, String factor) {
    String value = group.factors().getOrDefault(factor, "");
    return value.isEmpty()
        ? Quantities.NONE
        : value.matches("[0-9]{1,15}")
            ? Quantities.of(Unit.COUNT, Double.parseDouble(value))
            : value;
  }

  static String milliseconds(double nanos) {
    return Quantities.fixed(nanos / 1e6, 3);
  }

  static String microseconds(double nanos) {
    return Quantities.fixed(nanos / 1e3, 2);
  }
}
