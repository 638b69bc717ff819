package kvrank.report.history;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.metric.Direction;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.chart.Svg;
import kvrank.results.Json;
import kvrank.stats.history.History;
import kvrank.stats.history.History.Line;
import kvrank.stats.infer.Estimate;

/** A history for other tools: Apache Otava, github-action-benchmark and Bencher. */
public final class HistoryFiles {

  private final History history;
  private final Map<Line, String> names = new LinkedHashMap<>();

  public HistoryFiles(History history) {
    this.history = history;
    for (Line line : history.lines()) {
      String name = Svg.fileName(List.of(line.label(), line.metric().id()));
      String free = name;
      for (int i = 2; names.containsValue(free); i++) {
        free = name + "-" + i;
      }
      names.put(line, free);
    }
  }

  /**
   * Returns a table for Otava's CSV importer by the name of its test: one column per line. The
   * importer accepts no empty cell, so lines with other executions are in other tables.
   */
  public SortedMap<String, Table> tables() {
    SortedMap<String, Table> tables = new TreeMap<>();
    for (List<Line> lines : parts()) {
      List<Integer> measured = Arrays.stream(lines.get(0).measured()).boxed().toList();
      Columns<Integer> columns =
          new Columns<>(measured)
              .left("time", i -> history.executions().get(i).time().toString())
              .left("commit", i -> history.executions().get(i).label());
      lines.forEach(line -> columns.exact(names.get(line), i -> line.values().get(i)));
      tables.put(test(tables.size()), columns.table());
    }
    return tables;
  }

  private List<List<Line>> parts() {
    return List.copyOf(
        history.lines().stream()
            .collect(
                groupingBy(
                    line -> Arrays.toString(line.measured()),
                    LinkedHashMap::new,
                    Collectors.toList()))
            .values());
  }

  private static String test(int part) {
    return part == 0 ? "history" : "history-%02d".formatted(part + 1);
  }

  /** Returns the configuration with which Otava reads {@link #tables}, as files in its folder. */
  public String otava() {
    StringBuilder yaml = new StringBuilder("tests:\n");
    List<List<Line>> parts = parts();
    for (int i = 0; i < parts.size(); i++) {
      yaml.append(
          """
            %1$s:
              type: csv
              file: %1$s.csv
              time_column: time
              attributes: [commit]
              csv_options: {delimiter: ",", quote_char: '"'}
              metrics:
          """
              .formatted(test(i)));
      for (Line line : parts.get(i)) {
        int direction = line.metric().direction() == Direction.HIGHER ? 1 : -1;
        yaml.append("      %s: {direction: %d}\n".formatted(names.get(line), direction));
      }
    }
    return yaml.toString();
  }

  /** Returns the newest execution for github-action-benchmark, lines of one direction. */
  public byte[] benchmarks(Direction direction) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (Line line : newest()) {
      if (line.metric().direction() == direction) {
        Estimate estimate = line.newest().orElseThrow();
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", line.label() + ", " + HistoryReport.metric(line));
        entry.put("unit", line.metric().unit().symbol());
        entry.put("value", estimate.value());
        if (estimate.hasInterval()) {
          entry.put("range", Quantities.spread(estimate.low(), estimate.high()));
        }
        entry.put("extra", history.executions().get(history.executions().size() - 1).label());
        entries.add(entry);
      }
    }
    return Json.bytes(entries);
  }

  /** Returns the newest execution in Bencher's metric format. */
  public byte[] bencher() {
    Map<String, Map<String, Object>> all = new LinkedHashMap<>();
    for (Line line : newest()) {
      Estimate estimate = line.newest().orElseThrow();
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("value", estimate.value());
      if (estimate.hasInterval()) {
        value.put("lower_value", estimate.low());
        value.put("upper_value", estimate.high());
      }
      all.computeIfAbsent(line.label(), any -> new LinkedHashMap<>())
          .put(line.metric().id(), value);
    }
    return Json.bytes(all);
  }

  private List<Line> newest() {
    return history.lines().stream().filter(line -> line.newest().isPresent()).toList();
  }
}
