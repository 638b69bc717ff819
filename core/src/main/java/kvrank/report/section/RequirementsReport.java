package kvrank.report.section;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.metric.Direction;
import kvrank.metric.Preference;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.figure.RankingCharts;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.RankingText;
import kvrank.stats.Excluded;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Requirements;
import kvrank.stats.Requirements.Kind;
import kvrank.stats.Requirements.Row;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/** The verdict on the scenario's requirements: which engines meet all, and what the others fail. */
public final class RequirementsReport {

  /** The most engines that a sentence names. */
  private static final int ENGINES = 6;

  private static final String BY_VALUE_ONLY =
      "By value only, as intervals need 3 repetitions (merged: 3 executions)";

  private final RankingIndex index;
  private final Requirements requirements;
  private final RequirementsTable table;

  public RequirementsReport(RankingIndex index) {
    this.index = index;
    this.requirements = Requirements.of(index);
    this.table = new RequirementsTable(index, requirements);
  }

  /** Returns {@link #first} and {@link #details} for a terminal; nothing without requirements. */
  public List<Block> blocks() {
    List<String> verdict = verdict();
    return requirements.rows().isEmpty()
        ? List.of()
        : new Blocks()
            .add(answer(verdict))
            .items(verdict.subList(1, verdict.size()))
            .add(table.table())
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
      String title = Labels.capitalized(prefer.metric().title());
      String place = place();
      RankingCharts charts = new RankingCharts(index);
      blocks
          .heading(3, title + " of " + place + ", which orders the engines")
          .add(
              new Block.Panel(
                  new Block.Figure(() -> charts.of(prefer.metric(), title, place, values)),
                  table.table()));
    } else {
      blocks.add(table.table());
    }
    return blocks.text(legend()).text(requirements.byValueOnly() ? BY_VALUE_ONLY + "." : "").list();
  }

  /** Returns the table of engines and requirements. */
  public Table table() {
    return table.table();
  }

  /** Returns the values that order engines, by the engines of the table. */
  private Map<String, Estimate> preferred() {
    Map<String, Estimate> values = new LinkedHashMap<>();
    table.rows().forEach(row -> row.value().ifPresent(value -> values.put(row.engine(), value)));
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
    add(parts, "Not certain", Kind.NOT_CERTAIN, RequirementText::doubt);
    add(parts, "Fails", Kind.FAILS, RequirementText::failure);
    add(parts, "Not judged", Kind.NOT_JUDGED, row -> "");
    if (requirements.byValueOnly()) {
      parts.add(BY_VALUE_ONLY);
    }
    return parts;
  }

  private void add(List<String> parts, String title, Kind kind, Function<Row, String> detail) {
    List<Row> rows = requirements.rows(kind).stream().filter(Row::measured).toList();
    if (!rows.isEmpty()) {
      parts.add(title + ": " + named(rows, detail));
    }
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
        .map(prefer -> prefer.text() + " " + RequirementText.value(prefer.metric(), row))
        .orElse("");
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
                        RankingText.reach(ratio)))
        .orElse("");
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
