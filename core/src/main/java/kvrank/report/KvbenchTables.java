package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.results.RunRecord;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Sample;
import kvrank.stats.Standing;

/**
 * The two tables of kvbench, a benchmark of Go's key-value stores: throughputs and index ranking.
 */
final class KvbenchTables {

  /** What a manifest's {@code table} says to ask for these. */
  static final String NAME = "kvbench";

  private static final double MEBIBYTE = 1024 * 1024;

  /**
   * One column of both tables.
   *
   * @param title the column of the throughput table
   * @param index the column of the index ranking
   * @param operation the operation's label; empty for the phase as a whole
   */
  private record Source(
      String title,
      String index,
      String phase,
      Optional<String> operation,
      Metric metric,
      DoubleFunction<String> text) {}

  private static final List<Source> SOURCES =
      List.of(
          load("BatchWrite cost(s)", "BatchWrite", Metrics.LOAD_TIME, KvbenchTables::small),
          load("MemUsage(MiB)", "MemUsage", Metrics.MEMORY, KvbenchTables::mebibytes),
          load("DiskUsage(MiB)", "DiskUsage", Metrics.FOOTPRINT, KvbenchTables::mebibytes),
          rate("Prefix", "Prefix", "prefix-scan", "prefix-scan"),
          rate("Set", "Set", "set", "update"),
          rate("Get", "Get", "get", "read"),
          rate("Setmixed", "Setmixed", "set-get", "update"),
          rate("Getmixed", "Getmixed", "set-get", "read"),
          rate("Del", "Delete", "delete", "delete"));

  private final RankingIndex board;
  private final Exclusions exclusions;
  private final Ties ties;

  KvbenchTables(RankingIndex board, Exclusions exclusions, Ties ties) {
    this.board = board;
    this.exclusions = exclusions;
    this.ties = ties;
  }

  /** How the index ranking writes engines that are tied. */
  enum Ties {
    /** In the cell of their rank: {@code redis = ignix}. */
    TOGETHER("\"=\" joins engines that are tied."),
    /** Each in a row of its own, which is narrower: {@code redis}, below it {@code = ignix}. */
    BELOW("\"=\" marks an engine that is tied with the one above.");

    private final String legend;

    Ties(String legend) {
      this.legend = legend;
    }
  }

  private static Source load(
      String title, String index, Metric metric, DoubleFunction<String> text) {
    return new Source(title, index, "load", Optional.empty(), metric, text);
  }

  private static Source rate(String title, String index, String phase, String operation) {
    return new Source(
        title + " op/s",
        index,
        phase,
        Optional.of(operation),
        Metrics.THROUGHPUT,
        value -> Quantities.fixed(value, 0));
  }

  private static String mebibytes(double bytes) {
    return small(bytes / MEBIBYTE);
  }

  private static String small(double value) {
    return Quantities.fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
  }

  /** The pair of tables of each factor point; nothing if the scenario does not ask for them. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    if (board.results().manifest().table().filter(NAME::equals).isPresent()) {
      board.wholesByPoint().forEach(wholes -> blocks.addAll(blocks(wholes)));
    }
    return blocks;
  }

  private List<Block> blocks(List<Group> wholes) {
    Group any = wholes.get(0);
    Map<Source, Ranking> rankings = new LinkedHashMap<>();
    for (Source source : SOURCES) {
      ranking(source, wholes).ifPresent(ranking -> rankings.put(source, ranking));
    }
    String point = any.point().isEmpty() ? "" : " at " + any.point();
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(2, "kvbench: throughputs" + point));
    blocks.add(new Block.Text(loaded(any.factors())));
    blocks.add(new Block.Grid(throughputs(rankings)));
    List<String> footnotes = footnotes(wholes, rankings);
    if (!footnotes.isEmpty()) {
      blocks.add(new Block.Items(footnotes));
    }
    blocks.add(new Block.Heading(2, "kvbench: Index ranking" + point));
    blocks.add(new Block.Text("The higher the ranking, the better. " + ties.legend));
    blocks.add(new Block.Grid(index(rankings)));
    return blocks;
  }

  private Optional<Ranking> ranking(Source source, List<Group> wholes) {
    return wholes.stream()
        .filter(whole -> whole.phase().equals(source.phase()))
        .findFirst()
        .map(whole -> source.operation().map(whole::of).orElse(whole))
        .flatMap(group -> board.ranking(group, source.metric()));
  }

  private static String loaded(SortedMap<String, String> factors) {
    StringJoiner sizes = new StringJoiner(", ", " (", ")").setEmptyValue("");
    for (String size : List.of("key-bytes", "value-bytes")) {
      if (factors.containsKey(size)) {
        sizes.add(size + "=" + factors.get(size));
      }
    }
    return "BatchWrite cost is the time to load "
        + Optional.ofNullable(factors.get("records")).map(KvbenchTables::grouped).orElse("the")
        + " records"
        + sizes
        + "; memory and disk are those at the end of the load.";
  }

  private static String grouped(String count) {
    return count.matches("[0-9]{1,15}")
        ? Quantities.of(Unit.COUNT, Double.parseDouble(count))
        : count;
  }

  private Table throughputs(Map<Source, Ranking> rankings) {
    List<Column<String>> columns = new ArrayList<>();
    columns.add(Column.left("name", engine -> engine));
    for (Source source : SOURCES) {
      columns.add(
          Column.right(
              source.title(),
              engine ->
                  standing(rankings, source, engine)
                      .map(standing -> source.text().apply(standing.estimate().value()))
                      .orElse(Quantities.NONE)));
    }
    return Table.of(columns, board.engines(), engine -> false);
  }

  private static Optional<Standing> standing(
      Map<Source, Ranking> rankings, Source source, String engine) {
    return Optional.ofNullable(rankings.get(source)).flatMap(found -> found.standing(engine));
  }

  /** Rows by rank; engines that have no value come last as "-", those with none at all are out. */
  private Table index(Map<Source, Ranking> rankings) {
    long ranked =
        board.engines().stream()
            .filter(
                engine -> SOURCES.stream().anyMatch(s -> standing(rankings, s, engine).isPresent()))
            .count();
    List<Column<Integer>> columns = new ArrayList<>();
    columns.add(Column.right("Rank", rank -> Integer.toString(rank)));
    for (Source source : SOURCES) {
      Optional<Ranking> ranking = Optional.ofNullable(rankings.get(source));
      columns.add(Column.left(source.index(), rank -> atRank(ranking, rank)));
    }
    return Table.of(
        columns, IntStream.rangeClosed(1, (int) ranked).boxed().toList(), rank -> rank == 1);
  }

  /** The cell of a row; {@code rank - 1} is also the place among the standings. */
  private String atRank(Optional<Ranking> ranking, int rank) {
    List<Standing> standings = ranking.map(Ranking::standings).orElse(List.of());
    if (rank > standings.size()) {
      return Quantities.NONE;
    }
    if (ties == Ties.BELOW) {
      Standing standing = standings.get(rank - 1);
      return (standing.rank() < rank ? "= " : "") + standing.engine();
    }
    return standings.stream()
        .filter(standing -> standing.rank() == rank)
        .map(Standing::engine)
        .collect(Collectors.joining(" = "));
  }

  private List<String> footnotes(List<Group> wholes, Map<Source, Ranking> rankings) {
    List<String> footnotes = new ArrayList<>();
    for (String engine : board.engines()) {
      if (standing(rankings, SOURCES.get(1), engine).isPresent()
          && embedded(engine, wholes.get(0).factors())) {
        footnotes.add(
            engine + " is embedded: its MemUsage is that of the worker's process, JVM included");
      }
      Map<String, List<String>> causes = new LinkedHashMap<>();
      for (Source source : SOURCES) {
        if (standing(rankings, source, engine).isEmpty()) {
          causes
              .computeIfAbsent(absence(source, engine, wholes, rankings), c -> new ArrayList<>())
              .add(source.index());
        }
      }
      causes.forEach(
          (cause, columns) -> {
            boolean all = columns.size() == SOURCES.size();
            String name = all ? engine : engine + ", " + String.join(", ", columns);
            String footnote = name + ": " + cause;
            if (!exclusions.everywhere().contains(footnote)) {
              footnotes.add(footnote);
            }
          });
    }
    return footnotes;
  }

  private boolean embedded(String engine, SortedMap<String, String> factors) {
    return board.results().runs().stream()
        .filter((RunRecord run) -> run.engine().equals(engine) && run.factors().equals(factors))
        .anyMatch(Sample::embedded);
  }

  private String absence(
      Source source, String engine, List<Group> wholes, Map<Source, Ranking> rankings) {
    Optional<Group> whole =
        wholes.stream().filter(group -> group.phase().equals(source.phase())).findFirst();
    if (whole.isEmpty()) {
      return "the scenario has no phase " + source.phase();
    }
    Ranking ranking =
        Optional.ofNullable(rankings.get(source)).orElseGet(() -> board.throughput(whole.get()));
    String cause =
        ranking.excluded().stream()
            .filter(excluded -> excluded.engine().equals(engine))
            .map(Exclusions::cause)
            .collect(Collectors.joining("; "));
    return cause.isEmpty() ? "no value: " + source.metric().absence() : cause;
  }
}
