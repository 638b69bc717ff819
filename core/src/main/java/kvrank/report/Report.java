package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.metric.Metrics;
import kvrank.report.chart.Chart;
import kvrank.results.Evidence;
import kvrank.results.Manifest;
import kvrank.results.RunRecord;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The report of some results, as blocks: all of it, or what fits a terminal. */
public final class Report {

  /** More rankings than these are left to the files if the scenario has tables of its own. */
  private static final int MOST_GROUPS = 12;

  private static final int FACTS_SHOWN = 4;

  private final RankingIndex index;
  private final Answers answers;
  private final Exclusions exclusions;
  private final Notes notes;
  private final RankingTables tables;
  private final RankingReport rankings;

  /** Prepares the report of {@code index}. */
  public Report(RankingIndex index) {
    this.index = index;
    this.answers = new Answers(index);
    this.exclusions = new Exclusions(index);
    this.notes = new Notes(index);
    this.tables = new RankingTables(index, notes);
    this.rankings = new RankingReport(index, tables, exclusions);
  }

  /** What fits a terminal: the answers, and one compact table per comparison group. */
  public List<Block> brief() {
    List<Block> blocks = new ArrayList<>(top(index.results().unreadable(), 5, 8));
    if (!answers.any()) {
      return blocks;
    }
    List<Block> asked = new TableReport(index, exclusions, TableFrame.Ties.BELOW).blocks();
    boolean each = index.wholes().size() <= MOST_GROUPS;
    if (!each) {
      blocks.add(
          new Block.Text(
              "The rankings of the %d comparison groups are in rankings.md and report.html."
                  .formatted(index.wholes().size())));
    }
    for (Group whole : index.wholes()) {
      if (each || (asked.isEmpty() && index.wholes().size() <= 3 * MOST_GROUPS)) {
        blocks.add(new Block.Heading(2, whole.label()));
        blocks.addAll(rankings.of(whole));
      }
    }
    blocks.addAll(CrashReport.blocks(index, notes));
    blocks.addAll(AcrossReport.of(index, true));
    blocks.addAll(asked);
    blocks.addAll(notRanked(each));
    blocks.add(Glossary.brief());
    return blocks;
  }

  /** Everything that is known. */
  public List<Block> full(Evidence evidence) {
    RawSeries series = new RawSeries(index, evidence);
    List<String> unreadable = new ArrayList<>(index.results().unreadable());
    unreadable.addAll(series.unreadable());
    List<Block> blocks = new ArrayList<>(top(unreadable, Integer.MAX_VALUE, Integer.MAX_VALUE));
    if (answers.any()) {
      blocks.addAll(overview());
      blocks.addAll(CrashReport.blocks(index, notes));
      blocks.addAll(asked().blocks());
      PhaseReport phases =
          new PhaseReport(index, tables, rankings, series, new Looks(index.engines()));
      index.wholesByPhase().forEach(wholes -> blocks.addAll(phases.of(wholes)));
      blocks.addAll(resources());
      blocks.addAll(AcrossReport.of(index, false));
      blocks.addAll(notRanked(true));
      blocks.add(new Block.Heading(2, "How to read this"));
      blocks.add(Glossary.full());
    }
    blocks.addAll(environment());
    blocks.addAll(reproduction(series.scenario()));
    return blocks;
  }

  /** The charts that are files, as the scenario's tables ask for. */
  public List<Chart> files() {
    return asked().files();
  }

  private TableReport asked() {
    return new TableReport(index, exclusions, TableFrame.Ties.TOGETHER);
  }

  /** The question, the answer, what was measured on, and what must not be overlooked. */
  private List<Block> top(List<String> unreadable, int files, int doubts) {
    List<Block> blocks = new ArrayList<>(Preamble.title(index));
    if (index.results().runs().isEmpty()) {
      blocks.add(new Block.Text("No run was recorded."));
    } else if (answers.any()) {
      blocks.add(new Block.Answer(answers.headline()));
      blocks.add(
          new Block.Items(
              Stream.concat(CrashReport.answers(index).stream(), answers.sentences().stream())
                  .toList()));
    } else {
      blocks.add(new Block.Warning("No engine could be measured:", reasons()));
      blocks.add(
          new Block.Text(
              "./kvrank engines says which engines can run here, and how to get the others."));
    }
    List<String> facts = new ArrayList<>(new Machine(index).lines());
    facts.addAll(Preamble.experiment(index.results()));
    blocks.add(new Block.Facts(facts));
    blocks.addAll(Preamble.warnings(index, unreadable, files));
    blocks.addAll(DurabilityNotes.warning(index, doubts));
    blocks.addAll(ExpectationReport.blocks(ExpectationResult.of(index)));
    return blocks;
  }

  private List<String> reasons() {
    Set<String> reasons = new LinkedHashSet<>(exclusions.everywhere());
    index.wholes().forEach(whole -> reasons.addAll(exclusions.below(whole)));
    return List.copyOf(reasons);
  }

  private List<Block> overview() {
    List<Block> blocks = new ArrayList<>();
    List<List<Group>> points = List.copyOf(index.wholesByPoint());
    blocks.add(new Block.Heading(2, "Overview"));
    if (points.size() > 3) {
      blocks.add(
          new Block.Text(
              "The best engine of each phase at each factor point; several where the data cannot"
                  + " separate them."));
      blocks.add(new Block.Grid(tables.best(points)));
      return blocks;
    }
    blocks.add(
        new Block.Text(
            "Throughput as a ratio to the best engine of the phase, and in brackets the rank;"
                + " 2–3 may be either."));
    Looks looks = new Looks(index.engines());
    for (List<Group> wholes : points) {
      if (points.size() > 1) {
        blocks.add(new Block.Heading(3, wholes.get(0).point()));
      }
      blocks.add(new Block.Grid(tables.overview(wholes)));
      List<Group> answering =
          wholes.stream().filter(whole -> answers.groups().contains(whole)).toList();
      blocks.add(new Block.Figure(() -> RatioChart.of(index, looks, answering)));
    }
    return blocks;
  }

  private List<Block> resources() {
    List<Block> found = new ArrayList<>();
    for (List<Group> wholes : index.wholesByPoint()) {
      Stream.of(Metrics.MEMORY, Metrics.FOOTPRINT)
          .flatMap(metric -> tables.byPhase(metric, wholes).stream())
          .map(Block.Grid::new)
          .forEach(found::add);
    }
    if (found.isEmpty()) {
      return List.of();
    }
    boolean many = index.wholesByPoint().size() > 3;
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(2, "Memory and storage"));
    blocks.add(
        new Block.Text(
            "Memory is resident: of the server's process, or of the client's, JVM included, if the"
                + " engine is embedded. Storage is in allocated blocks."));
    blocks.addAll(many ? List.of(new Block.Folded("At the end of each phase", found)) : found);
    return blocks;
  }

  /**
   * What is not ranked with its reasons, and notes on engines.
   *
   * @param below whether the reasons of single groups stand below their tables
   */
  private List<Block> notRanked(boolean below) {
    List<String> items = new ArrayList<>(exclusions.everywhere());
    if (!below) {
      Map<String, Integer> counts = new LinkedHashMap<>();
      for (Group whole : index.wholes()) {
        exclusions
            .below(whole)
            .forEach(text -> counts.merge(whole.phase() + ": " + text, 1, Integer::sum));
      }
      counts.forEach((text, count) -> items.add(text + (count > 1 ? " (" + count + "x)" : "")));
    }
    items.addAll(notes.list());
    return items.isEmpty()
        ? List.of()
        : List.of(new Block.Heading(2, "Not ranked, and notes"), new Block.Items(items));
  }

  private List<Block> environment() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(2, "Environment"));
    if (!index.results().environment().isEmpty()) {
      blocks.add(
          new Block.Folded("The machine", List.of(new Block.Grid(new Machine(index).table()))));
    }
    blocks.add(new Block.Folded("Settings", List.of(new Block.Grid(settings()))));
    for (String engine : index.engines()) {
      facts(engine)
          .ifPresent(
              table ->
                  blocks.add(
                      new Block.Folded(
                          "What was learned of " + engine, List.of(new Block.Grid(table)))));
    }
    return blocks;
  }

  private Table settings() {
    List<Column<Map.Entry<String, List<String>>>> columns =
        List.of(
            Column.left("setting", Map.Entry::getKey),
            Column.left("values", setting -> String.join(", ", setting.getValue())));
    return Table.of(
        columns,
        index.results().manifest().factors().entrySet().stream()
            .filter(factor -> !factor.getValue().isEmpty())
            .toList(),
        setting -> false);
  }

  private Optional<Table> facts(String engine) {
    Map<String, Set<String>> facts = new TreeMap<>();
    for (RunRecord run : index.results().runs()) {
      if (run.engine().equals(engine)) {
        run.facts()
            .forEach(
                (fact, value) ->
                    facts
                        .computeIfAbsent(fact, name -> new LinkedHashSet<>())
                        .add(Machine.value(fact, value)));
      }
    }
    List<Column<Map.Entry<String, Set<String>>>> columns =
        List.of(
            Column.left("fact", fact -> Machine.name(fact.getKey())),
            Column.left(
                "value",
                fact ->
                    String.join(", ", Preamble.first(List.copyOf(fact.getValue()), FACTS_SHOWN))));
    return facts.isEmpty()
        ? Optional.empty()
        : Optional.of(Table.of(columns, List.copyOf(facts.entrySet()), fact -> false));
  }

  private List<Block> reproduction(String scenario) {
    Manifest manifest = index.results().manifest();
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(2, "Reproduce"));
    if (scenario.isEmpty()) {
      blocks.add(new Block.Text("The resolved scenario is not there."));
      return blocks;
    }
    blocks.add(
        new Block.Text(
            "With kvrank %s, save this as scenario.yaml and run".formatted(manifest.kvrank())));
    blocks.add(new Block.Listing("./kvrank run scenario.yaml\n"));
    blocks.add(new Block.Folded("scenario.yaml", List.of(new Block.Listing(scenario))));
    return blocks;
  }
}
