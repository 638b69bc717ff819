package kvrank.report;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Glossary;
import kvrank.report.figure.GroupCharts;
import kvrank.report.figure.RawSeries;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.OverviewTables;
import kvrank.report.ranking.RankingText;
import kvrank.report.section.AcrossReport;
import kvrank.report.section.AnswerPanels;
import kvrank.report.section.Answers;
import kvrank.report.section.CrashAnswers;
import kvrank.report.section.CrashReport;
import kvrank.report.section.ExpectationReport;
import kvrank.report.section.ExperimentSummary;
import kvrank.report.section.FalseAlarms;
import kvrank.report.section.MeasurementSetup;
import kvrank.report.section.OverviewReport;
import kvrank.report.section.PhaseReport;
import kvrank.report.section.Reproduction;
import kvrank.report.section.RequirementsReport;
import kvrank.report.table.TableFrame;
import kvrank.report.table.TableReport;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The report of results as blocks: the whole report, or a brief one for a terminal. */
public final class Report {

  /** Introduces rankings beside a verdict on requirements. */
  private static final String ASIDE = "Requirements aside, by the metric that ranks each phase: ";

  private final RankingIndex index;
  private final Answers answers;
  private final Notes notes;
  private final OverviewReport overview;
  private final PhaseReport phases;
  private final AnswerPanels panels;
  private final RequirementsReport requirements;

  public Report(RankingIndex index) {
    this.index = index;
    this.answers = new Answers(index);
    this.notes = new Notes(index);
    OverviewTables tables = new OverviewTables(index, notes);
    this.overview = new OverviewReport(index, tables);
    this.phases = new PhaseReport(index, tables, notes);
    this.panels = new AnswerPanels(index, tables, notes, answers.groups());
    this.requirements = new RequirementsReport(index);
  }

  /** Returns a report for a terminal: the rankings that answer the question, then the answer. */
  public List<Block> brief() {
    Manifest manifest = index.results().manifest();
    Blocks blocks = new Blocks().heading(1, manifest.scenario() + ": " + asked());
    if (!answers.any()) {
      return warnings(blocks, index.results().unreadable(), 5, 8).list();
    }
    int executions = index.results().executions().size();
    String merged = executions > 1 ? "Merged from %d executions. ".formatted(executions) : "";
    blocks.text((merged + (panels.ranksInBrackets() ? RankingText.RANKS : "")).strip());
    List<Block> requested = new TableReport(index, notes, TableFrame.Ties.BELOW).blocks();
    if (panels.tabled()) {
      blocks.addAll(panels.inShort());
    } else {
      blocks.addAll(overview.tables());
    }
    falseAlarms(blocks);
    blocks.addAll(CrashReport.blocks(index, notes));
    if (answers.groups().stream().map(Group::phase).distinct().count() > 1) {
      blocks.addAll(AcrossReport.of(index));
    }
    blocks.addAll(requested);
    warnings(blocks, index.results().unreadable(), 5, 8);
    answer(blocks, requirements.blocks(), List.of());
    List<String> sentences = new ArrayList<>(answers.inShort());
    if (hasIntervals()) {
      sentences.add(0, RankingText.RATIOS_IN_SHORT);
    }
    if (!index.results().warnings().isEmpty()) {
      sentences.add("The machine was busy before the runs: see the warnings of the report");
    }
    return blocks.items(sentences).list();
  }

  /** Returns the whole report, with the tables that the scenario requests. */
  public List<Block> full(Evidence evidence, TableReport requested) {
    RawSeries series = new RawSeries(index, evidence);
    List<String> unreadable = new ArrayList<>(index.results().unreadable());
    unreadable.addAll(series.unreadable());
    GroupCharts charts = new GroupCharts(index, series);
    boolean ofCrashes = index.phaseGroups().stream().allMatch(index::load);
    MeasurementSetup setup = new MeasurementSetup(index);
    Blocks blocks = question();
    if (answers.any()) {
      firstScreen(blocks, ofCrashes);
    }
    warnings(blocks, unreadable, Integer.MAX_VALUE, Integer.MAX_VALUE)
        .warning("The machine was busy before the runs:", index.results().warnings());
    if (answers.any()) {
      blocks.heading(2, "Overview");
      if (panels.tabled()) {
        blocks.addAll(overview.tables());
      }
      blocks
          .addAll(overview.charts(charts, answers.groups()))
          .add(new Block.Items(facts(setup), true))
          .addAll(ExpectationReport.blocks(ExpectationResult.of(index)));
      falseAlarms(blocks);
      if (!ofCrashes) {
        blocks.addAll(CrashReport.blocks(index, notes));
      }
      blocks.addAll(requested.blocks());
      index
          .phaseGroupsByPhase()
          .forEach(phaseGroups -> blocks.addAll(phases.of(phaseGroups, charts, panels.shown())));
      blocks.addAll(overview.resources());
      blocks.addAll(AcrossReport.of(index));
      notRanked(blocks);
      blocks.heading(2, "How to read this").items(Glossary.full());
    }
    return blocks
        .addAll(setup.blocks())
        .addAll(Reproduction.blocks(index.results(), series.scenario()))
        .list();
  }

  /** Returns the tables and charts that the scenario requests. */
  public TableReport requestedTables() {
    return new TableReport(index, notes, TableFrame.Ties.TOGETHER);
  }

  private Blocks question() {
    Manifest manifest = index.results().manifest();
    return new Blocks()
        .heading(1, manifest.scenario())
        .add(new Block.Text(Block.Role.QUESTION, asked()));
  }

  /** Returns the question, and the factors other than fsync whose values the report compares. */
  private String asked() {
    Manifest manifest = index.results().manifest();
    String factors =
        manifest.factors().entrySet().stream()
            .filter(factor -> factor.getValue().size() > 1)
            .filter(factor -> !factor.getKey().equals(Group.FSYNC))
            .map(factor -> factor.getKey() + "=" + Labels.several(factor.getValue()))
            .collect(joining(", "));
    return manifest.question() + (factors.isEmpty() ? "" : " Compared at " + factors + ".");
  }

  /**
   * Adds the verdict, the engines that it leaves out, and its rankings: a chart for each workload
   * and level, and tables. The rest of the answer is folded.
   */
  private void firstScreen(Blocks blocks, boolean ofCrashes) {
    Block remark = new Block.Text(Block.Role.REMARK, RankingText.RATIOS);
    answer(blocks, requirements.first(), hasIntervals() ? List.of(remark) : List.of());
    blocks.text(answers.missing());
    if (ofCrashes) {
      blocks.addAll(CrashReport.first(index, notes));
    }
    blocks.addAll(panels.first()).addAll(panels.others());
    if (!panels.tabled()) {
      blocks.addAll(overview.tables());
    }
    List<String> more = new ArrayList<>(requirements.details());
    more.addAll(answers.belowMissing());
    blocks.folded(
        "Further answers, and the reasons for missing engines", new Blocks().items(more).list());
  }

  /**
   * Adds the verdict on requirements, if there are any, and the sentences that come first, with
   * {@code remark} below what is the answer.
   */
  private void answer(Blocks blocks, List<Block> verdict, List<Block> remark) {
    if (verdict.isEmpty()) {
      answers.first().forEach(each -> blocks.add(new Block.Text(Block.Role.ANSWER, each)));
      blocks.addAll(remark);
    } else {
      List<String> ranked = answers.ranked();
      blocks.add(verdict.get(0)).addAll(remark).addAll(verdict.subList(1, verdict.size()));
      answers.found().forEach(blocks::text);
      blocks.text(ranked.isEmpty() ? "" : ASIDE + String.join(" ", ranked));
    }
  }

  /** Returns whether the answer or its tables have ratios with intervals. */
  private boolean hasIntervals() {
    return answers.hasIntervals() || panels.hasIntervals() || requirements.hasInterval();
  }

  /** Adds the warnings, with at most {@code files} and {@code doubts} named. */
  private Blocks warnings(Blocks blocks, List<String> unreadable, int files, int doubts) {
    ExecutionResults results = index.results();
    if (results.runs().isEmpty()) {
      blocks.text("No run was recorded.");
    } else if (!answers.any()) {
      Set<String> reasons = new LinkedHashSet<>(notes.everywhere());
      index.phaseGroups().forEach(phaseGroup -> reasons.addAll(notes.below(phaseGroup)));
      blocks
          .warning("No engine could be measured:", List.copyOf(reasons))
          .text("./kvrank engines lists the engines that can run here, and how to get the others.");
      CrashAnswers.of(index).forEach(blocks::text);
    }
    return blocks
        .warning("Missing or unreadable, and left out:", Labels.first(unreadable, files))
        .warning(
            results.executions().size() > 1 ? "The merged results differ:" : "About these results:",
            index.differences())
        .warning(
            "Durability is not proven: the disk's flushes contradict the level of fsync.",
            Labels.first(notes.unproven(), doubts));
  }

  /** Returns the setup, the size of the experiment and the differences that it detects. */
  private List<String> facts(MeasurementSetup setup) {
    List<String> facts = new ArrayList<>(setup.lines());
    facts.addAll(ExperimentSummary.lines(index.results(), answers.engines()));
    return facts;
  }

  private void falseAlarms(Blocks blocks) {
    List<String> shares = FalseAlarms.of(index);
    if (!shares.isEmpty()) {
      blocks
          .heading(2, "The same engine under several names")
          .text(
              "Any separation here is a false alarm; 5 % or fewer are expected. The 95 % interval"
                  + " is in brackets.")
          .items(shares);
    }
  }

  private void notRanked(Blocks blocks) {
    List<String> items = new ArrayList<>(notes.everywhere());
    items.addAll(notes.footnotes());
    if (!items.isEmpty()) {
      blocks.heading(2, "Not ranked, and notes").items(items);
    }
  }
}
