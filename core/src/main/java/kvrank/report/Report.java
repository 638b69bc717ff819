package kvrank.report;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.fact.Fact;
import kvrank.fact.Level;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Glossary;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.figure.GroupCharts;
import kvrank.report.figure.RawSeries;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.RankingTables;
import kvrank.report.section.AcrossReport;
import kvrank.report.section.AnswerPanels;
import kvrank.report.section.Answers;
import kvrank.report.section.CrashReport;
import kvrank.report.section.DetectableDifferences;
import kvrank.report.section.ExpectationReport;
import kvrank.report.section.FalseAlarms;
import kvrank.report.section.MeasurementSetup;
import kvrank.report.section.PhaseReport;
import kvrank.report.section.Reproduction;
import kvrank.report.section.RequirementsReport;
import kvrank.report.table.TableFrame;
import kvrank.report.table.TableReport;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Manifest.Adaptive;
import kvrank.results.RunRecord;
import kvrank.results.ShellWord;
import kvrank.stats.DetectableRatio;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Settlement;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;

/** The report of results as blocks: the whole report, or a brief one for a terminal. */
public final class Report {

  /** With more factor points than this, an overview names only the best engines of each. */
  private static final int MOST_POINTS = 3;

  private static final int FACTS_SHOWN = 4;

  /** Introduces rankings beside a verdict on requirements. */
  private static final String ASIDE = "Requirements aside, by the metric that ranks each phase: ";

  /** The most repetitions that are proposed. */
  private static final int MOST_REPETITIONS = 100;

  private final RankingIndex index;
  private final Answers answers;
  private final Notes notes;
  private final RankingTables tables;
  private final PhaseReport phases;
  private final AnswerPanels panels;
  private final RequirementsReport requirements;

  public Report(RankingIndex index) {
    this.index = index;
    this.answers = new Answers(index);
    this.notes = new Notes(index);
    this.tables = new RankingTables(index, notes);
    this.phases = new PhaseReport(index, tables, notes);
    this.panels = new AnswerPanels(index, tables, answers.groups());
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
    blocks.text((merged + (panels.ranksInBrackets() ? RankingTables.RANKS : "")).strip());
    List<Block> requested = new TableReport(index, notes, TableFrame.Ties.BELOW).blocks();
    if (panels.tabled()) {
      blocks.addAll(panels.inShort());
    } else {
      overview(blocks);
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
      sentences.add(0, RankingTables.RATIOS_IN_SHORT);
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
    Blocks blocks = question();
    if (answers.any()) {
      firstScreen(blocks, ofCrashes);
    }
    warnings(blocks, unreadable, Integer.MAX_VALUE, Integer.MAX_VALUE)
        .warning("The machine was busy before the runs:", index.results().warnings());
    if (answers.any()) {
      blocks.heading(2, "Overview");
      if (panels.tabled()) {
        overview(blocks);
      }
      blocks
          .addAll(ratios(charts))
          .add(new Block.Items(facts(), true))
          .addAll(ExpectationReport.blocks(ExpectationResult.of(index)));
      falseAlarms(blocks);
      if (!ofCrashes) {
        blocks.addAll(CrashReport.blocks(index, notes));
      }
      blocks.addAll(requested.blocks());
      index
          .phaseGroupsByPhase()
          .forEach(phaseGroups -> blocks.addAll(phases.of(phaseGroups, charts, panels.shown())));
      resources(blocks);
      blocks.addAll(AcrossReport.of(index));
      notRanked(blocks);
      blocks.heading(2, "How to read this").items(Glossary.full());
    }
    environment(blocks);
    reproduction(blocks, series.scenario());
    return blocks.list();
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
    Block remark = new Block.Text(Block.Role.REMARK, RankingTables.RATIOS);
    answer(blocks, requirements.first(), hasIntervals() ? List.of(remark) : List.of());
    blocks.text(answers.missing());
    if (ofCrashes) {
      blocks.addAll(CrashReport.first(index, notes));
    }
    blocks.addAll(panels.first()).addAll(panels.others());
    if (!panels.tabled()) {
      overview(blocks);
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
      CrashReport.answers(index).forEach(blocks::text);
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
  private List<String> facts() {
    List<String> facts = new ArrayList<>(new MeasurementSetup(index).lines());
    facts.addAll(experiment(index.results()));
    facts.addAll(detectableDifferences());
    return facts;
  }

  /** Returns the size of the experiment, or of each merged one. */
  private static List<String> experiment(ExecutionResults results) {
    List<String> lines = new ArrayList<>();
    if (results.executions().size() > 1) {
      lines.add("Merged from %d executions:".formatted(results.parts().size()));
      for (ExecutionResults part : results.parts()) {
        String host = part.environment().find(Fact.HOST).orElse("unknown");
        String size = part.manifest().scenario() + ", " + size(part.manifest());
        lines.add(part.name() + ": scenario " + size + ", host " + host);
      }
    } else {
      String planned = results.manifest().planned().toString();
      String minute = planned.substring(0, Math.min(16, planned.length())).replace('T', ' ');
      lines.add("Experiment: " + size(results.manifest()) + ", " + minute + " UTC");
      lines.addAll(lost(results));
      Settlement now = Settlement.of(results);
      results
          .manifest()
          .adaptive()
          .map(
              adaptive ->
                  "Repetitions until comparisons are settled: after %d of %d%s: %s%s."
                      .formatted(
                          results.repetitions(),
                          results.manifest().repetitions(),
                          now.end(),
                          now.summary(),
                          adaptive.ratio() == PairVerdict.EQUAL
                              ? ""
                              : "; less than %s apart counts as settled"
                                  .formatted(Quantities.ratio(adaptive.ratio()))))
          .ifPresent(lines::add);
    }
    return lines;
  }

  /** Returns the differences that this execution detects, and the cost of smaller ones. */
  private List<String> detectableDifferences() {
    ExecutionResults results = index.results();
    double noise = DetectableRatio.noise(results);
    if (answers.engines() < 2 || !Double.isFinite(noise) || results.executions().size() > 1) {
      return List.of();
    }
    boolean adaptive = results.manifest().adaptive().isPresent();
    SortedSet<Integer> repetitions = new TreeSet<>(List.of(results.repetitions()));
    if (adaptive) {
      repetitions.add(results.manifest().repetitions());
    }
    double seconds = results.runs().stream().mapToDouble(run -> run.time().toMillis() / 1e3).sum();
    return List.of(
        "Runs vary by %s: %s. All runs took %s."
            .formatted(
                Quantities.portion(noise),
                DetectableDifferences.of(answers.engines(), repetitions, adaptive, noise),
                Quantities.of(Unit.SECONDS, seconds)));
  }

  /**
   * Returns the next step to settle open comparisons of {@code results}, a folder, with the command
   * in a line of its own; empty if none is open. It is a new execution, as an extended one of three
   * or more repetitions has only a tenth of its level left ({@link
   * kvrank.stats.infer.SequentialPlan}).
   */
  public String next(String results) {
    String folder = ShellWord.of(results);
    ExecutionResults measured = index.results();
    if (!answers.open()) {
      return "";
    }
    int planned = measured.manifest().repetitions();
    double noise = DetectableRatio.noise(measured);
    if (!Double.isFinite(noise)) {
      return "Not settled; to continue:\n./kvrank run --resume %s --repetitions %d"
          .formatted(folder, Math.max(planned + 1, Estimate.FEWEST));
    }
    String more = "Not settled; to %s (runs vary by %s):\n./kvrank run %s --repetitions %d";
    String scenario = ShellWord.of(results + "/scenario.yaml");
    Optional<Double> interval = measured.manifest().adaptive().flatMap(Adaptive::interval);
    if (interval.isPresent()) {
      int needed = Estimate.needed(interval.get(), noise);
      if (needed <= MOST_REPETITIONS) {
        return more.formatted(
            "get intervals of " + Quantities.portion(interval.get()) + " to each side",
            Quantities.portion(noise),
            scenario,
            Math.max(needed, planned + 1));
      }
    }
    double goal = measured.manifest().adaptive().map(Adaptive::ratio).orElse(PairVerdict.EQUAL);
    for (double ratio : List.of(goal, 1.2, 1.5, 2.0)) {
      int needed = DetectableRatio.needed(answers.engines(), ratio, noise);
      int repetitions = needed > planned ? needed : 2 * planned;
      if (interval.isEmpty() && ratio >= goal && repetitions <= MOST_REPETITIONS) {
        return more.formatted(
            "detect " + Quantities.ratio(ratio), Quantities.portion(noise), scenario, repetitions);
      }
    }
    return "Not settled, and runs vary by %s: more repetitions would hardly help. Stop whatever else uses this machine, or use another one"
        .formatted(Quantities.portion(noise));
  }

  /** Returns the time that others on the machine cost, and the repeated runs; usually nothing. */
  private static List<String> lost(ExecutionResults results) {
    double seconds = results.runs().stream().mapToDouble(RunRecord::lostSeconds).sum();
    List<String> repeated = new ArrayList<>();
    for (RunRecord run : results.runs()) {
      run.facts()
          .parts(Fact.OTHERS_DISTURBED)
          .values()
          .forEach(why -> repeated.add(run.id() + " (" + why + ")"));
    }
    return seconds > 0
        ? List.of(
            "Waiting for other processes and repeating disturbed runs took %.0f s%s."
                .formatted(seconds, listed("; repeated: ", "; ", repeated)))
        : List.of();
  }

  private static String listed(String before, String between, List<String> items) {
    return items.isEmpty() ? "" : before + String.join(between, Labels.first(items, FACTS_SHOWN));
  }

  private static String size(Manifest manifest) {
    return "%s, %s, %s of each run, storage %s, seed %d%s"
        .formatted(
            Quantities.counted(manifest.engines().size(), "engine"),
            Quantities.counted(manifest.phases().size(), "phase"),
            repetitions(manifest) + added(manifest),
            manifest.medium(),
            manifest.seed(),
            manifest.orderSeed().map(", order seed %d"::formatted).orElse(""));
  }

  /** Returns the numbers of repetitions after which the execution was extended. */
  private static String added(Manifest manifest) {
    List<Integer> looks =
        manifest.adaptive().map(Adaptive::stopped).orElse(manifest.extended()).stream()
            .distinct()
            .toList();
    return looks.isEmpty()
        ? ""
        : " (extended after %s)"
            .formatted(looks.stream().map(String::valueOf).collect(joining(" and ")));
  }

  /** Returns for example {@code 3 to 10 repetitions}. */
  static String repetitions(Manifest manifest) {
    return (manifest.adaptive().isPresent() ? manifest.guaranteedRepetitions() + " to " : "")
        + Quantities.counted(manifest.repetitions(), "repetition");
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

  private void overview(Blocks blocks) {
    List<List<Group>> points = List.copyOf(index.phaseGroupsByPoint());
    if (points.size() > MOST_POINTS) {
      blocks
          .text(
              "The best engine of each phase at each factor point; several if the data cannot"
                  + " separate them.")
          .add(tables.best(points));
      return;
    }
    if (points.size() > 1 && points.stream().allMatch(phaseGroups -> phaseGroups.size() == 1)) {
      List<Group> groups = points.stream().map(phaseGroups -> phaseGroups.get(0)).toList();
      blocks.text(RankingTables.RANKS).add(tables.byEngine(groups, index.engines()));
      return;
    }
    blocks.text(
        "Ratio to the best engine of each phase by throughput, or by p99 at a given rate. "
            + RankingTables.RANKS);
    for (List<Group> phaseGroups : points) {
      if (points.size() > 1) {
        blocks.heading(3, phaseGroups.get(0).point());
      }
      blocks.add(tables.overview(phaseGroups));
    }
  }

  /** Returns a chart of the ratios to the best for each factor point, if there are few. */
  private List<Block> ratios(GroupCharts charts) {
    Collection<List<Group>> points = index.phaseGroupsByPoint();
    return points.size() > MOST_POINTS
        ? List.of()
        : points.stream()
            .map(each -> each.stream().filter(answers.groups()::contains).toList())
            .<Block>map(answering -> new Block.Figure(() -> charts.ratios(answering)))
            .toList();
  }

  private void resources(Blocks blocks) {
    List<Table> resources = new ArrayList<>();
    for (List<Group> phaseGroups : index.phaseGroupsByPoint()) {
      resources.addAll(tables.byPhase(Metrics.MEMORY, phaseGroups));
      resources.addAll(tables.byPhase(Metrics.DATA_MEMORY, phaseGroups));
      resources.addAll(tables.byPhase(Metrics.FOOTPRINT, phaseGroups));
    }
    if (resources.isEmpty()) {
      return;
    }
    blocks
        .heading(2, "Memory and storage")
        .text(
            "Memory leaves out pages of files. It is counted for the server's process; for an embedded"
                + " engine, for the client's process with its JVM. Storage is in allocated blocks.");
    if (index.phaseGroupsByPoint().size() > 3) {
      blocks.folded("At the end of each phase", resources);
    } else {
      blocks.addAll(resources);
    }
  }

  private void notRanked(Blocks blocks) {
    List<String> items = new ArrayList<>(notes.everywhere());
    items.addAll(notes.footnotes());
    if (!items.isEmpty()) {
      blocks.heading(2, "Not ranked, and notes").items(items);
    }
  }

  private void environment(Blocks blocks) {
    blocks.heading(2, "Environment");
    if (!index.results().environment().asMap().isEmpty()) {
      blocks.folded("The machine", List.of(new MeasurementSetup(index).table()));
    }
    Map<String, List<String>> factors = new LinkedHashMap<>(index.results().manifest().factors());
    factors.values().removeIf(List::isEmpty);
    Columns<Map.Entry<String, List<String>>> settings =
        new Columns<>(factors.entrySet())
            .left("setting", Map.Entry::getKey)
            .left("values", setting -> String.join(", ", setting.getValue()));
    blocks.folded("Settings", List.of(settings.table()));
    for (String engine : index.engines()) {
      blocks.folded("Facts about " + engine, facts(engine));
    }
  }

  private List<Table> facts(String engine) {
    Map<String, Set<String>> facts = new TreeMap<>();
    index.results().runs().stream()
        .filter(run -> run.engine().equals(engine))
        .flatMap(run -> run.facts().asMap().entrySet().stream())
        .distinct() // before each is formatted
        .forEach(
            fact ->
                facts
                    .computeIfAbsent(fact.getKey(), name -> new LinkedHashSet<>())
                    .add(MeasurementSetup.value(Level.RUN, fact.getKey(), fact.getValue())));
    return new Columns<>(facts.entrySet())
        .left("fact", fact -> MeasurementSetup.name(Level.RUN, fact.getKey()))
        .left(
            "value",
            fact -> String.join(", ", Labels.first(List.copyOf(fact.getValue()), FACTS_SHOWN)))
        .ifAny("");
  }

  private void reproduction(Blocks blocks, String scenario) {
    blocks.heading(2, "Reproduce");
    if (scenario.isEmpty()) {
      blocks.text("The resolved scenario is missing.");
      return;
    }
    for (Reproduction each : Reproduction.of(index.results())) {
      blocks
          .text("Save this as scenario.yaml, and run it with %s:".formatted(each.by()))
          .add(new Block.Listing(each.commands()));
    }
    blocks.folded("scenario.yaml", List.of(new Block.Listing(scenario)));
  }
}
