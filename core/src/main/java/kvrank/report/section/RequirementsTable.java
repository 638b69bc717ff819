package kvrank.report.section;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import kvrank.metric.Preference;
import kvrank.report.block.Columns;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Align;
import kvrank.report.block.Table.Cell;
import kvrank.report.block.Table.Style;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Requirements;
import kvrank.stats.Requirements.Kind;
import kvrank.stats.Requirements.Row;

/** The table of engines by requirement, with the value of each and whether it is met. */
final class RequirementsTable {

  private static final String MET = "\u2713 ";
  private static final String BROKEN = "\u2717 ";

  private final RankingIndex index;
  private final Requirements requirements;

  RequirementsTable(RankingIndex index, Requirements requirements) {
    this.index = index;
    this.requirements = requirements;
  }

  /** Returns the engines of the table; others are listed as not ranked. */
  List<Row> rows() {
    return requirements.rows().stream().filter(Row::measured).toList();
  }

  Table table() {
    Columns<Row> columns =
        new Columns<>(rows())
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
                    row -> RequirementText.value(prefer.metric(), row),
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
            ? (result.failed() ? RequirementText.missing(result) : result.verdict().label())
            : ExpectationReport.value(result).replaceFirst(" of .*", "")
                + (result.hasInterval() ? RequirementText.spread(result.low(), result.high()) : "");
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
}
