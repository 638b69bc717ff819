package kvrank.report.section;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Preference;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Align;
import kvrank.report.block.Table.Cell;
import kvrank.report.block.Table.Style;
import kvrank.report.figure.RankingCharts;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.RankingTables;
import kvrank.stats.Excluded;
import kvrank.stats.ExpectationResult;
import kvrank.stats.ExpectationResult.Verdict;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Requirements;
import kvrank.stats.Requirements.Kind;
import kvrank.stats.Requirements.Row;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/** The verdict on the scenario's requirements: which engines meet all, and what the others fail. */
public final class RequirementsReport {

  private static final String MET = "\u2713 ";
  private static final String BROKEN = "\u2717 ";

  /** The most engines that a sentence names. */
  private static final int ENGINES = 6;

  private static final String NOT_PROVEN = "durability not proven";

  private static final String NO_VALUE = "no value";

  private static final String BY_VALUE_ONLY =
      "By value only, as intervals need 3 repetitions (merged: 3 executions)";

  /** A longer reason is not in the sentence, but below the table. */
  private static final int LONGEST = 60;

  private final RankingIndex index;
  private final Requirements requirements;

  public RequirementsReport(RankingIndex index) {
    this.index = index;
    this.requirements = Requirements.of(index);
  }

  /** Returns {@link #first} and {@link #details} for a terminal; nothing without requirements. */
  public List<Block> blocks() {
    List<String> verdict = verdict();
    return requirements.rows().isEmpty()
        ? List.of()
        : new Blocks()
            .add(answer(verdict))
            .items(verdict.subList(1, verdict.size()))
            .add(table())
            .text(legend())
            .items(reasons())
            .list();
  }

  /**
   * Returns the verdict and a table of engines and requirements, beside a chart of the metric that
   * orders engines, if there is one; nothing without requirements.
   */
  public List<Block> first() {
    if (requirements.rows().isEmpty()) {
      return List.of();
    }
    Blocks blocks = new Blocks().add(answer(verdict()));
    Map<String, Estimate> values = preferred();
    if (values.values().stream().allMatch(each -> each.value() > 0) && !values.isEmpty()) {
      Preference prefer = requirements.prefer().orElseThrow();
      String title = RankingTables.capitalized(prefer.metric().title());
      String place = place();
      RankingCharts charts = new RankingCharts(index);
      blocks
          .heading(3, title + " of " + place + ", which orders the engines")
          .add(
              new Block.Panel(
                  new Block.Figure(() -> charts.of(prefer.metric(), title, place, values)),
                  table()));
    } else {
      blocks.add(table());
    }
    return blocks.text(legend()).text(requirements.byValueOnly() ? BY_VALUE_ONLY + "." : "").list();
  }

  /** Returns the values that order engines, by the engines of the table. */
  private Map<String, Estimate> preferred() {
    Map<String, Estimate> values = new LinkedHashMap<>();
    shown().forEach(row -> row.value().ifPresent(value -> values.put(row.engine(), value)));
    return values;
  }

  /** Returns the place of the preferred values: that of the only ranking, or the worst of all. */
  private String place() {
    List<Ranking> preferred = requirements.preferred();
    return preferred.size() == 1
        ? preferred.get(0).group().label()
        : "the worst of "
            + Labels.several(
                preferred.stream().map(each -> each.group().label()).distinct().toList());
  }

  /** Returns the engines of the table. */
  private List<Row> shown() {
    return requirements.rows().stream().filter(RequirementsReport::measured).toList();
  }

  /** Returns whether the verdict has the interval of a ratio. */
  public boolean hasInterval() {
    return lead().filter(Ratio::hasInterval).isPresent();
  }

  /** Returns the ratio of the first two engines that meet all, if the preferred metric has one. */
  private Optional<Ratio> lead() {
    List<Row> good = requirements.rows(Kind.MEETS_ALL);
    return good.size() < 2 ? Optional.empty() : requirements.lead(good.get(0), good.get(1));
  }

  /** Returns sentences about engines that do not meet all, and the reasons for missing values. */
  public List<String> details() {
    List<String> verdict = verdict();
    return Stream.concat(verdict.stream().skip(1), reasons().stream()).toList();
  }

  private static Block answer(List<String> verdict) {
    return new Block.Text(Block.Role.ANSWER, verdict.get(0) + ".");
  }

  private String legend() {
    return requirements.rows(Kind.NOT_CERTAIN).isEmpty()
        ? ""
        : "? not certain: the 95 % interval includes the bound, or durability is not proven.";
  }

  /** Returns for example {@code Meets all 3 requirements: redis (memory 412 MiB). Fails: …}. */
  public String headline() {
    return String.join(". ", verdict()) + ".";
  }

  /** Returns a sentence for the engines that meet all, then one for each other kind. */
  private List<String> verdict() {
    List<Row> good = requirements.rows(Kind.MEETS_ALL);
    int number = requirements.texts().size();
    boolean same = requirements.rows().stream().allMatch(row -> row.worst().size() == number);
    String all =
        !same
            ? "its requirements"
            : number == 1
                ? "the requirement " + requirements.texts().get(0)
                : (number == 2 ? "both" : "all " + number) + " requirements";
    List<String> parts = new ArrayList<>();
    parts.add(
        good.isEmpty()
            ? "No engine "
                + (requirements.rows(Kind.NOT_CERTAIN).isEmpty() ? "" : "certainly ")
                + "meets "
                + all
            : "Meets " + all + ": " + named(good, this::preferredValue) + lead(good));
    add(parts, "Not certain", Kind.NOT_CERTAIN, RequirementsReport::doubt);
    add(parts, "Fails", Kind.FAILS, row -> failure(row));
    add(parts, "Not judged", Kind.NOT_JUDGED, row -> "");
    if (requirements.byValueOnly()) {
      parts.add(BY_VALUE_ONLY);
    }
    return parts;
  }

  private void add(List<String> parts, String title, Kind kind, Function<Row, String> detail) {
    List<Row> rows = requirements.rows(kind).stream().filter(RequirementsReport::measured).toList();
    if (!rows.isEmpty()) {
      parts.add(title + ": " + named(rows, detail));
    }
  }

  /** Returns whether any requirement is judged; other engines are listed as not ranked. */
  private static boolean measured(Row row) {
    return row.worst().size() > row.with(Verdict.NOT_JUDGED).size();
  }

  private static String named(List<Row> rows, Function<Row, String> detail) {
    List<String> names = new ArrayList<>();
    for (Row row : rows) {
      String text = detail.apply(row);
      names.add(row.engine() + (text.isEmpty() ? "" : " (" + text + ")"));
    }
    return String.join(", ", Labels.first(names, ENGINES));
  }

  private String preferredValue(Row row) {
    return requirements
        .prefer()
        .map(prefer -> prefer.text() + " " + value(prefer.metric(), row))
        .orElse("");
  }

  private static String doubt(Row row) {
    return row.open().isEmpty() ? NOT_PROVEN : detail(row.open().get(0));
  }

  private static String value(Metric metric, Row row) {
    return row.value()
        .map(each -> Quantities.of(metric.unit(), each.value()) + spread(each.low(), each.high()))
        .orElse(Quantities.NONE);
  }

  /** Returns for example {@code ±5.2%}; empty without an interval, or with one of no width. */
  private static String spread(double low, double high) {
    return low < high ? " " + Quantities.spread(low, high) : "";
  }

  /** Returns the ratio of the first two engines by the preferred metric, or that they are a tie. */
  private String lead(List<Row> good) {
    if (requirements.prefer().isEmpty() || good.size() < 2) {
      return "";
    }
    Preference prefer = requirements.prefer().get();
    String first = good.get(0).engine();
    String second = good.get(1).engine();
    if (!requirements.separated(good.get(0), good.get(1))) {
      return "; %s does not separate %s and %s".formatted(prefer.text(), first, second);
    }
    boolean lower = prefer.metric().direction() == Direction.LOWER;
    return lead()
        .map(
            ratio ->
                "; the %s of %s is %s that of %s%s"
                    .formatted(
                        prefer.text(),
                        lower ? second : first,
                        Quantities.ratio(ratio.value()),
                        lower ? first : second,
                        RankingTables.reach(ratio)))
        .orElse("");
  }

  private static String failure(Row row) {
    List<ExpectationResult> failed = row.broken();
    ExpectationResult first =
        failed.stream()
            .filter(result -> !Double.isNaN(result.value()))
            .findFirst()
            .orElse(failed.get(0));
    if (Double.isNaN(first.value())) {
      String reason = first.reason();
      return missing(first).equals(NO_VALUE)
          ? subject(first) + ": " + NO_VALUE
          : reason.length() > LONGEST ? missing(first) : reason;
    }
    return detail(first) + (failed.size() > 1 ? ", and %d more".formatted(failed.size() - 1) : "");
  }

  private static String subject(ExpectationResult result) {
    return result.expectation().requirement().split("[<>]", 2)[0].strip();
  }

  /** Returns the short reason for a missing value, for example {@code failed}. */
  private static String missing(ExpectationResult result) {
    return result.reason().split(":", 2)[0];
  }

  /** Returns for example {@code read p99 31 ms, wanted < 2ms: 15x the bound}. */
  private static String detail(ExpectationResult result) {
    String text = result.expectation().requirement();
    int sign = Math.max(text.indexOf('<'), text.indexOf('>'));
    String open = Requirements.open(result) ? ", " + ExpectationReport.interval(result) : "";
    return subject(result)
        + " "
        + ExpectationReport.value(result)
        + open
        + ", wanted "
        + text.substring(sign)
        + (result.failed() && open.isEmpty() ? ": " + excess(result) : "");
  }

  /**
   * Returns the distance of a value from its bound, for example {@code 15x the bound}, {@code 6 %
   * short}.
   */
  private static String excess(ExpectationResult result) {
    double excess = result.excess();
    return result.expectation().below()
        ? excess < 2
            ? portion(excess - 1) + " over"
            : (excess > 999 ? ">999x" : Quantities.ratio(excess)) + " the bound"
        : portion(1 - 1 / excess) + " short";
  }

  private static String portion(double share) {
    return share == 0 ? "0 %" : share < 0.001 ? "under 0.1 %" : Quantities.portion(share);
  }

  private Table table() {
    Columns<Row> columns =
        new Columns<>(shown())
            .left("engine", Row::engine)
            .add("requirements", Align.LEFT, row -> verdict(row))
            .spare();
    requirements
        .prefer()
        .filter(prefer -> requirements.texts().stream().noneMatch(isAbout(prefer)))
        .ifPresent(
            prefer ->
                columns.number(
                    prefer.text(),
                    row -> value(prefer.metric(), row),
                    row -> row.value().map(each -> each.value()).orElse(Double.NaN)));
    for (String text : requirements.texts()) {
      columns.add(text, Align.RIGHT, row -> cell(row.worst().get(text)));
    }
    return columns
        .left("fsync", row -> level(row) + (row.doubted() ? ", not proven" : ""))
        .spare()
        .table(row -> row.kind() == Kind.MEETS_ALL)
        .compact()
        .titled("Requirements");
  }

  /** Returns whether a requirement has the preferred metric, so that its column has the value. */
  private static Predicate<String> isAbout(Preference prefer) {
    return text -> text.split("[<>]", 2)[0].strip().equals(prefer.text());
  }

  private static Cell verdict(Row row) {
    int failed = row.broken().size();
    return switch (row.kind()) {
      case MEETS_ALL -> cell(MET + "meets all", Style.MET);
      case NOT_CERTAIN -> cell("? not certain", Style.OPEN);
      case FAILS -> cell(BROKEN + "fails " + failed + " of " + row.worst().size(), Style.BROKEN);
      case NOT_JUDGED -> cell("not judged", Style.PLAIN);
    };
  }

  private static Cell cell(ExpectationResult result) {
    if (result == null) {
      return cell("", Style.PLAIN);
    }
    String value =
        Double.isNaN(result.value())
            ? (result.failed() ? missing(result) : result.verdict().label())
            : ExpectationReport.value(result).replaceFirst(" of .*", "")
                + (result.hasInterval() ? spread(result.low(), result.high()) : "");
    if (Requirements.open(result)) {
      return new Cell("? " + value, result.value(), Style.OPEN);
    }
    return switch (result.verdict()) {
      case NOT_JUDGED -> cell(value, Style.PLAIN);
      case MET -> new Cell(MET + value, result.value(), Style.MET);
      case FAILED -> new Cell(BROKEN + value, result.value(), Style.BROKEN);
    };
  }

  private static Cell cell(String text, Style style) {
    return new Cell(text, Double.NaN, style);
  }

  /** Returns the levels of fsync that an engine had; empty if it had no run. */
  private String level(Row row) {
    return index.phaseGroups().stream()
        .filter(group -> !index.phases(group, row.engine()).isEmpty())
        .map((Group group) -> index.level(group, row.engine()))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the reasons for missing values, the same ones together; not those of engines that are
   * unavailable or unsupported, which the answer has.
   */
  private List<String> reasons() {
    Map<String, List<String>> engines = new LinkedHashMap<>();
    for (Row row : requirements.rows()) {
      row.worst().values().stream()
          .filter(result -> !result.reason().isEmpty() && !refused(result))
          .map(ExpectationResult::reason)
          .distinct()
          .forEach(
              reason ->
                  engines.computeIfAbsent(reason, any -> new ArrayList<>()).add(row.engine()));
    }
    List<String> reasons = new ArrayList<>();
    engines.forEach((reason, names) -> reasons.add(Labels.joined(names) + ": " + reason));
    return reasons;
  }

  private boolean refused(ExpectationResult result) {
    List<Excluded> excluded =
        index
            .rankingOrEmpty(result.group(), result.expectation().metric())
            .excluded(result.expectation().engine());
    return !excluded.isEmpty() && excluded.stream().allMatch(each -> each.absence().refused());
  }
}
