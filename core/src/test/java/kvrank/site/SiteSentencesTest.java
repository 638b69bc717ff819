package kvrank.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.failure.Cause;
import kvrank.metric.Direction;
import kvrank.metric.Expectation;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Notes;
import kvrank.report.section.CrashAnswers;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.pack.MachineName;
import kvrank.stats.Group;
import kvrank.stats.Merge;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import kvrank.stats.Standing;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;
import org.junit.jupiter.api.Test;

/**
 * Every sentence of the pages follows from the results. The classes of the site are not used: each
 * sentence is matched with a pattern, and its figures are computed again from rankings.
 */
class SiteSentencesTest {

  private static final Pattern CLAIM =
      Pattern.compile("<(li|p) class=\"claim\">(.*?)</\\1>", Pattern.DOTALL);
  private static final Pattern SECTION = Pattern.compile("<h2[^>]*>(.*?)</h2>");
  private static final Pattern CARD = Pattern.compile("<h3><a href=\"(use/[a-z]+\\.html)\"");
  private static final Pattern LEVEL = Pattern.compile("<dt class=\"level\">(.*?)</dt>");
  private static final Pattern NAMES =
      Pattern.compile(
          "<dd><span class=\"what\">(Reach for|Avoid)(, provisionally)?: </span>(.*?)</dd>");
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

  private static final Pattern KIND =
      Pattern.compile("<(?:h3|dt)>(Embedded engine|Server)s</(?:h3|dt)>");
  private static final Pattern HEADING = Pattern.compile("(?s)<(h3|dt)[ >].*?</\\1>");

  private static final List<String> KINDS = List.of("embedded engine", "server");

  private static final List<String> USES =
      List.of(
          "Reads",
          "Ingest",
          "Mixed",
          "Durable writes",
          "Scans",
          "Deletes",
          "Cache",
          "Memory",
          "Footprint");

  /** The comparisons in which an engine is among the best, and its figures there. */
  private static final String BEST =
      "among the best (?<field>.+?) in (?:(?<only>the only comparison) that counts,"
          + " (?<how>with others|as the single best)|(?<best>\\d+) of (?<of>\\d+) comparisons that count,"
          + " (?:never alone|alone in (?<alone>\\d+)))(?:, and failed in (?<failed>\\d+))?"
          + "(?:, with no clear lead in (?<undecided>\\d+) more)?:"
          + " (?<figures>.+?)";

  private static final String DOUBTS =
      "(?:; labelled (?<labels>.+?))?(?:, but its hit ratio is lower: (?<hits>.+?))?"
          + "(?:, but in (?<costs>.+?))?";

  private static final String LAST =
      "(?<why>failed|(?:failed, or )?can be last, and is at least 2x behind the best (?<field>.+?),)"
          + " in (?:(?<only>the only comparison)|(?<last>\\d+) of (?<of>\\d+) comparisons)"
          + "(?:; furthest with (?<furthest>.+? behind \\(.+?\\)))?";

  private static final Set<String> RESOURCES = Set.of("Memory", "Footprint");

  private static String kindOf(String engine) {
    return SiteExamples.embedded(engine) ? "embedded engine" : "server";
  }

  /**
   * A ranking of the results, and where it is; of engines of one kind, or of all if it is empty.
   */
  private record Cell(
      RankingIndex index,
      String machine,
      String scenario,
      String use,
      Group group,
      Ranking ranking,
      String kind) {

    Cell(
        RankingIndex index,
        String machine,
        String scenario,
        String use,
        Group group,
        Ranking ranking) {
      this(index, machine, scenario, use, group, ranking, "");
    }

    Cell of(Ranking other) {
      return new Cell(index, machine, scenario, use, group, other, kind);
    }

    Cell among(String engines) {
      Ranking own = ranking.only(engine -> kindOf(engine).equals(engines));
      return new Cell(index, machine, scenario, use, group, own, engines);
    }

    String level() {
      return group.fsync();
    }

    String name() {
      return scenario
          + " · "
          + group.phase()
          + (ranking.metric().equals(Metrics.THROUGHPUT)
              ? ranking.group().operation().map(threads -> " · " + threads).orElse("")
              : "");
    }

    String place() {
      return name() + " on " + machine;
    }

    /** Whether engines wrote as much as they could before, so that values have no ranks. */
    boolean unequal() {
      return scenario.equals(SiteExamples.TIMED) && RESOURCES.contains(use);
    }

    List<Standing> tested() {
      return unequal()
          ? List.of()
          : ranking.standings().stream().filter(each -> !each.untested()).toList();
    }

    Optional<Standing> of(String engine) {
      return tested().size() < 2
          ? Optional.empty()
          : tested().stream().filter(each -> each.engine().equals(engine)).findFirst();
    }

    /** Returns the engines that are separated from this one, as worse or as better. */
    long separated(String engine, boolean worse) {
      boolean higher = ranking.metric().direction() == Direction.HIGHER;
      return tested().stream()
          .map(other -> ranking.verdict(engine, other.engine()))
          .filter(
              verdict -> verdict.separated() && verdict.ratio().value() > 1 == (higher == worse))
          .count();
    }

    /** Whether others disturbed most of the runs, and no quiet execution measured the same. */
    boolean busy() {
      return index.results().executions().stream()
          .allMatch(each -> each.name().equals(SiteExamples.ONLY_BUSY));
    }

    /** Returns whether the engine, and not the machine, ended most of its runs. */
    boolean failed(String engine) {
      return !unequal() && tested().size() > 1 && fails(engine);
    }

    private boolean fails(String engine) {
      return (kind.isEmpty() || kindOf(engine).equals(kind))
          && 2 * failures(engine).size() > runs(engine);
    }

    /** Returns the engines with a value, or that failed. */
    Set<String> all() {
      return index.engines().stream()
          .filter(engine -> ranking.standing(engine).isPresent() || fails(engine))
          .collect(Collectors.toCollection(TreeSet::new));
    }

    int runs(String engine) {
      return index.runs(group, engine).size();
    }

    /** Returns the reasons, one for each failed run. */
    List<String> failures(String engine) {
      List<String> failures = new ArrayList<>();
      for (RunRecord run : index.runs(group, engine)) {
        Outcome outcome = run.outcome();
        for (PhaseRecord phase : run.phases()) {
          outcome = phase.name().equals(group.phase()) ? phase.outcome() : outcome;
        }
        if (outcome instanceof Outcome.Failed failed && failed.cause() == Cause.ENGINE) {
          failures.add(failed.reason().replaceAll(" \\(pid [0-9]+\\)", ""));
        }
      }
      return failures;
    }

    /** Returns whether it has a value that can be tested, or counts as last without one. */
    boolean has(String engine) {
      return of(engine).isPresent() || failed(engine);
    }

    /** Returns the tested engines that this one is ahead of by more than 10 %. */
    private long aheadOf(String engine) {
      return tested().stream().filter(other -> ahead(engine, other.engine())).count();
    }

    private boolean ahead(String engine, String other) {
      var verdict = ranking.verdict(engine, other);
      double ratio = verdict.ratio().value();
      boolean higher = ranking.metric().direction() == Direction.HIGHER;
      return verdict.separated() && (higher ? ratio > 1.1 : 1 / ratio > 1.1);
    }

    /** Returns whether no other engine is ahead, also not one with too few runs. */
    boolean leads(Standing standing) {
      String engine = standing.engine();
      long better =
          ranking.standings().stream()
              .map(other -> ranking.verdict(engine, other.engine()))
              .filter(
                  verdict ->
                      verdict.separated()
                          && verdict.ratio().value() < 1
                              == (ranking.metric().direction() == Direction.HIGHER))
              .count();
      return standing.rank() - 1 == better
          && ranking.standings().stream().noneMatch(other -> ahead(other.engine(), engine));
    }

    boolean best(String engine) {
      double others = tested().size() - 1;
      return of(engine)
          .filter(each -> leads(each) && !failed(engine))
          .filter(each -> tested().stream().noneMatch(it -> !leads(it) && better(it, each)))
          .filter(each -> aheadOf(engine) > others / 2)
          .map(each -> each.ratio().value())
          .filter(ratio -> Math.max(ratio, 1 / ratio) < 2)
          .isPresent();
    }

    private boolean better(Standing one, Standing other) {
      double value = one.estimate().value();
      double second = other.estimate().value();
      return ranking.metric().direction() == Direction.HIGHER ? value > second : value < second;
    }

    /** Returns whether it says something about an engine. */
    boolean counts(String engine) {
      return has(engine) && (decides() || failed(engine));
    }

    boolean decides() {
      return tested().stream().anyMatch(each -> best(each.engine()));
    }

    boolean alone(String engine) {
      return best(engine) && ranking.standings().stream().filter(this::leads).count() == 1;
    }

    double times(String engine) {
      double ratio = ranking.standing(engine).orElseThrow().ratio().value();
      return Math.max(ratio, 1 / ratio);
    }

    boolean far(String engine) {
      return of(engine).isPresent() && !failed(engine) && times(engine) >= 2;
    }

    boolean last(String engine) {
      return failed(engine)
          || (far(engine)
              && ranking.verdict(ranking.standings().get(0).engine(), engine).separated()
              && separated(engine, true) == 0
              && !farAhead(engine));
    }

    /** Returns whether an engine without enough runs for a test is five times worse in each. */
    private boolean farAhead(String engine) {
      Estimate own = ranking.standing(engine).orElseThrow().estimate();
      boolean higher = ranking.metric().direction() == Direction.HIGHER;
      return ranking.standings().stream()
          .filter(Standing::untested)
          .map(Standing::estimate)
          .anyMatch(
              other ->
                  higher
                      ? own.smallest() > 5 * other.largest()
                      : other.smallest() > 5 * own.largest());
    }

    boolean unproven(String engine) {
      return of(engine).isPresent() && index.doubted(group, engine) && !level().equals("off");
    }

    String value(String engine) {
      return Quantities.of(
          ranking.metric().unit(), ranking.standing(engine).orElseThrow().estimate().value());
    }
  }

  private interface Check {
    void of(Page page, Matcher match);
  }

  /** Where a sentence is. */
  private record Page(String file, String section, String kind) {

    String engine() {
      return file.replaceFirst("engine/", "").replaceFirst("\\.html$", "");
    }

    String use() {
      return file.replaceFirst("use/", "").replaceFirst("\\.html$", "");
    }

    String level() {
      Matcher level = Pattern.compile("fsync=([^ )]+)").matcher(section);
      return level.find() ? level.group(1) : "";
    }
  }

  private final List<Cell> cells = new ArrayList<>();
  private final Map<Pattern, Check> checks = new LinkedHashMap<>();
  private final Map<String, Integer> seen = new TreeMap<>();
  private SortedMap<String, String> pages = new TreeMap<>();
  private final Map<String, String> labels = new HashMap<>();
  private final Map<String, List<Crashes>> crashes = new HashMap<>();
  private final Map<List<String>, Set<String>> reaches = new HashMap<>();
  private final Map<List<String>, Set<String>> slows = new HashMap<>();
  private List<ExecutionResults> given = List.of();

  private void build(List<ExecutionResults> executions) {
    pages = new TreeMap<>();
    cells.clear();
    labels.clear();
    crashes.clear();
    reaches.clear();
    slows.clear();
    Site.of(executions).forEach((file, bytes) -> pages.put(file, new String(bytes, UTF_8)));
    Map<List<String>, List<ExecutionResults>> studies = new LinkedHashMap<>();
    given = executions;
    for (ExecutionResults each : executions) {
      if (each.name().endsWith(SiteExamples.BUSY)) {
        continue;
      }
      String machine = MachineName.of(each.environment());
      studies
          .computeIfAbsent(List.of(machine, each.manifest().scenario()), any -> new ArrayList<>())
          .add(each);
    }
    // Two of the machines have the same processor, and are numbered by their whole names.
    Map<String, Set<String>> kinds = new TreeMap<>();
    studies
        .keySet()
        .forEach(
            key ->
                kinds
                    .computeIfAbsent(MachineName.brief(key.get(0)), any -> new TreeSet<>())
                    .add(key.get(0)));
    kinds.forEach(
        (brief, names) -> {
          int number = 0;
          for (String name : names) {
            number++;
            labels.put(name, names.size() == 1 ? brief : brief + "-" + number);
          }
        });
    studies.forEach(
        (key, all) -> cells(labels.get(key.get(0)), key.get(1), RankingIndex.of(Merge.of(all))));
  }

  private void cells(String machine, String scenario, RankingIndex index) {
    for (Group group : index.phaseGroups()) {
      String set = group.fsync().equals("on") ? "Durable writes" : "Ingest";
      String use = SiteExamples.USES.getOrDefault(group.phase(), set);
      List<String> threads = SiteExamples.GROUPS.getOrDefault(group.phase(), List.of());
      for (String each : threads) {
        Ranking ranking = index.throughput(group.forOperation(each));
        cells.add(new Cell(index, machine, scenario, use, group, ranking));
      }
      if (threads.isEmpty()) {
        cells.add(new Cell(index, machine, scenario, use, group, index.decisive(group)));
      }
    }
    for (List<Group> point : index.phaseGroupsByPoint()) {
      // Every engine has done the same only after the load.
      Group group = point.get(scenario.equals(SiteExamples.TIMED) ? point.size() - 1 : 0);
      for (Metric metric : List.of(Metrics.MEMORY, Metrics.FOOTPRINT)) {
        String use = metric.equals(Metrics.MEMORY) ? "Memory" : "Footprint";
        index
            .ranking(group, metric)
            .ifPresent(each -> cells.add(new Cell(index, machine, scenario, use, group, each)));
      }
      for (Group each : point) {
        if (!each.equals(group) && !scenario.equals(SiteExamples.TIMED) && onlyReads(index, each)) {
          index
              .ranking(each, Metrics.MEMORY)
              .ifPresent(it -> cells.add(new Cell(index, machine, scenario, "Memory", each, it)));
        }
      }
    }
  }

  /** Whether no engine wrote in a phase, and all held the same. */
  private static boolean onlyReads(RankingIndex index, Group group) {
    List<PhaseRecord> phases =
        index.engines().stream().flatMap(each -> index.phases(group, each).stream()).toList();
    Set<String> operations = new TreeSet<>();
    phases.forEach(phase -> operations.addAll(phase.operations().keySet()));
    List<Double> held =
        phases.stream().map(it -> it.facts().number(Fact.USER_LIVE_BYTES)).sorted().toList();
    return Set.of("read", "range-scan", "prefix-scan").containsAll(operations)
        && held.get(held.size() - 1) <= 1.05 * held.get(0);
  }

  /** Whether an engine has a value, or failed, in a comparison of its kind. */
  private boolean comparedAnywhere(String engine) {
    return cells.stream()
        .flatMap(cell -> compared(cell.use(), cell.level(), kindOf(engine)).stream())
        .anyMatch(cell -> cell.has(engine));
  }

  private List<Cell> cells(String use, String level) {
    return cells.stream()
        .filter(cell -> use.startsWith(cell.use()) || file(cell.use()).equals(use))
        .filter(cell -> cell.level().equals(level))
        .toList();
  }

  private static String file(String use) {
    return use.equals("Durable writes") ? "durable" : use.toLowerCase(Locale.ROOT);
  }

  private List<Cell> compared(String use, String level) {
    return compared(cells(use, level));
  }

  /** The comparisons of engines of one kind, which recommend. */
  private List<Cell> compared(String use, String level, String kind) {
    return compared(cells(use, level, kind));
  }

  private List<Cell> cells(String use, String level, String kind) {
    assertThat(KINDS).contains(kind);
    return cells(use, level).stream()
        .map(cell -> cell.among(kind))
        .filter(cell -> !cell.all().isEmpty())
        .toList();
  }

  private static List<Cell> compared(List<Cell> cells) {
    List<Cell> all = cells.stream().filter(c -> c.tested().size() > 1).toList();
    List<Cell> quiet = all.stream().filter(cell -> !cell.busy()).toList();
    return quiet.isEmpty() ? all : quiet;
  }

  private static int count(List<Cell> cells, Predicate<Cell> which) {
    return (int) cells.stream().filter(which).count();
  }

  /** The engines to reach for, by the rule on the page about the method. */
  private Set<String> reach(String use, String level, String kind) {
    return reaches.computeIfAbsent(
        List.of(file(use), level, kind), any -> findReach(use, level, kind));
  }

  private Set<String> findReach(String use, String level, String kind) {
    List<Cell> compared = compared(use, level, kind);
    Set<String> always = new TreeSet<>();
    Set<String> often = new TreeSet<>();
    boolean firm = false;
    for (String engine : mostlyBest(compared)) {
      if (count(compared, cell -> cell.unproven(engine)) == 0
          && !unsafe(level).contains(engine)
          && !doubted(level).contains(engine)
          && count(compared, cell -> cell.far(engine)) == 0
          && 2 * met(compared, engine) >= rivals(compared)) {
        often.add(engine);
        int of = count(compared, cell -> cell.counts(engine));
        if (count(compared, cell -> cell.best(engine)) == of) {
          always.add(engine);
          firm |= of > 1;
        }
      }
    }
    return firm ? always : often;
  }

  /** The engines that are among the best in more than half of what counts for them. */
  private static Set<String> mostlyBest(List<Cell> compared) {
    return engines(compared).stream()
        .filter(
            engine ->
                2 * count(compared, cell -> cell.best(engine))
                    > count(compared, cell -> cell.counts(engine)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Counts the engines that another met where it is among the best. */
  private static int met(List<Cell> compared, String engine) {
    return engines(compared.stream().filter(cell -> cell.best(engine)).toList()).size() - 1;
  }

  private static int rivals(List<Cell> compared) {
    return engines(compared.stream().filter(Cell::decides).toList()).size() - 1;
  }

  private Set<String> avoid(String use, String level, String kind) {
    Set<String> avoid = new TreeSet<>(slow(use, level, kind));
    avoid.addAll(file(use).startsWith("durable") ? unsafe(level, kind) : Set.of());
    return avoid;
  }

  private Set<String> slow(String use, String level, String kind) {
    return slows.computeIfAbsent(
        List.of(file(use), level, kind), any -> findSlow(use, level, kind));
  }

  private Set<String> findSlow(String use, String level, String kind) {
    List<Cell> compared = compared(use, level, kind);
    return engines(compared).stream()
        .filter(
            engine ->
                2 * count(compared, cell -> cell.last(engine))
                    > count(compared, cell -> cell.has(engine)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the lowest of its hit ratios against the highest; null unless that is better. */
  private String lowerHits(String use, String level, String engine) {
    String lowest = null;
    double most = 1;
    for (Cell cell : cells(use, level)) {
      Ranking hits = cell.index().ranking(cell.group(), Metrics.HIT_RATIO).orElse(null);
      if (hits != null && use.equals("cache") && hits.standing(engine).isPresent()) {
        for (Standing other : hits.standings()) {
          double more =
              other.estimate().value() - hits.standing(engine).orElseThrow().estimate().value();
          if (kindOf(other.engine()).equals(kindOf(engine))
              && more > most
              && hits.verdict(engine, other.engine()).separated()) {
            most = more;
            lowest =
                "%s against %s of %s (%s)"
                    .formatted(
                        Quantities.of(
                            Unit.PERCENT, hits.standing(engine).orElseThrow().estimate().value()),
                        Quantities.of(Unit.PERCENT, other.estimate().value()),
                        other.engine(),
                        cell.place());
          }
        }
      }
    }
    return lowest;
  }

  private static Set<String> engines(List<Cell> cells) {
    return cells.stream()
        .flatMap(cell -> cell.index().engines().stream().filter(cell::has))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void check(String pattern, Check check) {
    checks.put(Pattern.compile(pattern), check);
  }

  /** Returns 0 for a group that is missing, as in {@code never alone}. */
  private static int number(Matcher match, int group) {
    return number(match.group(group));
  }

  private static int number(Matcher match, String group) {
    return number(match.group(group));
  }

  private static int number(String digits) {
    return digits == null ? 0 : Integer.parseInt(digits.replace(",", ""));
  }

  /** Returns the crashes of an engine, at a level if it is not null. */
  private List<Crashes> crashes(String engine, String level) {
    return crashes.computeIfAbsent(engine + " " + level, any -> findCrashes(engine, level));
  }

  private List<Crashes> findCrashes(String engine, String level) {
    List<Crashes> found = new ArrayList<>();
    Set<List<Object>> seen = new HashSet<>();
    for (Cell cell : cells) {
      if (seen.add(List.of(System.identityHashCode(cell.index()), cell.level()))
          && (level == null || cell.level().equals(level))) {
        for (boolean cut : new boolean[] {true, false}) {
          List<Crash> all =
              cell.index().runs(cell.group(), engine).stream()
                  .flatMap(run -> run.crashTest().stream())
                  .filter(test -> test.powerCut() == cut)
                  .flatMap(test -> test.crashes().stream())
                  .toList();
          if (!all.isEmpty()) {
            String place = cell.machine() + ", " + cell.scenario();
            found.add(new Crashes(place, cell.level(), engine, cut, all));
          }
        }
      }
    }
    return found;
  }

  private Set<String> allEngines() {
    return cells.stream()
        .flatMap(cell -> cell.index().engines().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The engines that broke the promise of a level in any study. */
  private Set<String> unsafe(String level) {
    return allEngines().stream()
        .filter(engine -> crashes(engine, level).stream().anyMatch(Crashes::unsafe))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<String> unsafe(String level, String kind) {
    return unsafe(level).stream()
        .filter(engine -> kindOf(engine).equals(kind))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The other engines with crashes of a kind of which none shows anything. */
  private Set<String> doubted(String level) {
    Set<String> doubted = new TreeSet<>();
    for (String engine : allEngines()) {
      for (Crashes each : crashes(engine, level)) {
        if (each.doubted()
            && crashes(engine, level).stream()
                .noneMatch(other -> other.powerCut() == each.powerCut() && other.proves())) {
          doubted.add(engine);
        }
      }
    }
    doubted.removeAll(unsafe(level));
    return doubted;
  }

  private void checkCrashes(String engine, String text) {
    assertThat(crashes(engine, null)).extracting(Crashes::text).contains(text);
  }

  /** Checks a sentence about several: it has each of those, and no others. */
  private void checkAll(String engine, String level, String text, Predicate<Crashes> which) {
    assertThat(text.split("; in ", -1))
        .containsExactlyInAnyOrderElementsOf(
            crashes(engine, level).stream().filter(which).map(Crashes::text).toList());
  }

  /** Checks what a recommendation says about losses at the level or a stricter one, or null. */
  private void checkCosts(String engine, String level, String text) {
    assertThat(text == null ? List.<String>of() : List.of(text.split("; in ", -1)))
        .containsExactlyInAnyOrderElementsOf(costs(engine, level).map(Crashes::text).toList());
  }

  /** Returns the losses at a level, then those at the stricter one of the examples. */
  private Stream<Crashes> costs(String engine, String level) {
    return Stream.of(level, "on")
        .distinct()
        .flatMap(each -> crashes(engine, each).stream())
        .filter(Crashes::costs);
  }

  private void ofUses() {
    check(
        "Reach for (?<engine>\\S+?)(?<provisional>, provisionally)?: "
            + BEST
            + DOUBTS
            + "(?:; avoid it for (?<uses>.+?) at this level)?\\.",
        (page, match) -> {
          String engine = match.group("engine");
          assertThat(kindOf(engine)).isEqualTo(page.kind());
          checkReach(match, page.use(), page.level(), engine);
          assertThat(match.group("uses")).isEqualTo(uses(page.level(), engine, this::avoid));
        });
    check(
        "No (.+) to reach for: no comparison has a clear lead; see the comparisons\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level(), page.kind());
          assertThat(match.group(1)).isEqualTo(page.kind());
          assertThat(compared).isNotEmpty().noneMatch(Cell::decides);
          assertThat(reach(page.use(), page.level(), page.kind())).isEmpty();
        });
    check(
        "No (.+) to reach for: none is among the best in more than half of the comparisons that count"
            + " for it; closest is (.+); see the comparisons\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level(), page.kind());
          assertThat(match.group(1)).isEqualTo(page.kind());
          assertThat(compared).anyMatch(Cell::decides);
          assertThat(mostlyBest(compared)).isEmpty();
          Map<String, Double> shares = new TreeMap<>();
          for (String each : engines(compared)) {
            double of = count(compared, cell -> cell.counts(each));
            shares.put(each, of == 0 ? 0 : count(compared, cell -> cell.best(each)) / of);
          }
          double most = shares.values().stream().mapToDouble(it -> it).max().orElseThrow();
          List<String> closest = new ArrayList<>();
          shares.forEach(
              (each, share) -> {
                if (share == most) {
                  int failed = count(compared, cell -> cell.failed(each));
                  closest.add(
                      "%s, in %d of %d%s"
                          .formatted(
                              each,
                              count(compared, cell -> cell.best(each)),
                              count(compared, cell -> cell.counts(each)),
                              failed == 0 ? "" : " (failed in %d)".formatted(failed)));
                }
              });
          assertThat(match.group(2)).isEqualTo(String.join(", or ", closest));
        });
    check(
        "No (.+) to reach for: (.+), among the best in most comparisons that count, (?:is|are) held back for the reasons below;"
            + " see the comparisons\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level(), page.kind());
          assertThat(match.group(1)).isEqualTo(page.kind());
          assertThat(reach(page.use(), page.level(), page.kind())).isEmpty();
          assertThat(match.group(2)).isEqualTo(Labels.joined(List.copyOf(mostlyBest(compared))));
        });
    check(
        "Avoid (\\S+): in (.+)\\.",
        (page, match) -> {
          assertThat(page.use()).isEqualTo("durable");
          assertThat(unsafe(page.level(), page.kind())).contains(match.group(1));
          checkAll(match.group(1), page.level(), match.group(2), Crashes::unsafe);
        });
    check(
        "(\\S+) is not recommended: in (.+)\\.",
        (page, match) -> {
          String engine = match.group(1);
          boolean unsafe = unsafe(page.level()).contains(engine);
          assertThat(unsafe || doubted(page.level()).contains(engine)).isTrue();
          assertThat(unsafe && page.use().equals("durable")).as("rather to avoid").isFalse();
          assertThat(engines(compared(page.use(), page.level(), page.kind()))).contains(engine);
          assertThat(reach(page.use(), page.level(), page.kind())).doesNotContain(engine);
          checkAll(
              engine, page.level(), match.group(2), unsafe ? Crashes::unsafe : Crashes::doubted);
        });
    check(
        "(\\S+) breaks the promise of this level: in (.+)\\.",
        (page, match) -> {
          assertThat(page.use()).isNotEqualTo("durable");
          assertThat(unsafe(page.level(), page.kind())).contains(match.group(1));
          assertThat(engines(compared(page.use(), page.level(), page.kind())))
              .doesNotContain(match.group(1));
          checkAll(match.group(1), page.level(), match.group(2), Crashes::unsafe);
        });
    check(
        "Avoid (?<engine>\\S+?)(?<provisional>, provisionally)?: "
            + LAST
            + "(?:; reach for it for (?<uses>.+?) at this level)?\\.",
        (page, match) -> {
          String engine = match.group("engine");
          assertThat(kindOf(engine)).isEqualTo(page.kind());
          checkSlow(match, page.use(), page.level(), engine);
          assertThat(match.group("uses")).isEqualTo(uses(page.level(), engine, this::reach));
        });
    check(
        "(\\S+) failed in (\\d+) of (\\d+) comparisons?, and counts as last there: (.+)\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level(), page.kind());
          String engine = match.group(1);
          List<Cell> failed = compared.stream().filter(cell -> cell.failed(engine)).toList();
          assertThat(number(match, 2)).isPositive().isEqualTo(failed.size());
          assertThat(number(match, 3)).isEqualTo(count(compared, cell -> cell.has(engine)));
          assertThat(match.group(4).split("; ", -1))
              .containsExactlyInAnyOrderElementsOf(
                  failed.stream()
                      .map(cell -> cell.place() + " (" + failures(cell, engine) + ")")
                      .toList());
        });
    check(
        "(\\S+) counts as last: it failed in (.+)\\.",
        (page, match) ->
            assertThat(cells(page.use(), page.level()))
                .filteredOn(cell -> cell.failed(match.group(1)))
                .extracting(cell -> failures(cell, match.group(1)))
                .contains(match.group(2)));
    check(
        "(\\S+): in (.+)\\.",
        (page, match) -> {
          assertThat(crashes(match.group(1), page.level()))
              .extracting(Crashes::text)
              .contains(match.group(2));
        });
    check(
        "(\\S+) is not recommended: it is at least 2x behind the best in (\\d+) of (\\d+)"
            + " comparisons?\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level(), page.kind());
          String engine = match.group(1);
          assertThat(mostlyBest(compared)).contains(engine);
          assertThat(number(match, 2))
              .isPositive()
              .isEqualTo(count(compared, cell -> cell.far(engine)));
          assertThat(number(match, 3)).isEqualTo(count(compared, cell -> cell.has(engine)));
        });
    check(
        "Durability of (.+) is not proven in (\\d+) of (\\d+) comparisons?, so it is not"
            + " recommended\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level(), page.kind());
          assertThat(number(match, 2))
              .isPositive()
              .isEqualTo(count(compared, cell -> cell.unproven(match.group(1))));
          assertThat(reach(page.use(), page.level(), page.kind())).doesNotContain(match.group(1));
        });
    check(
        "(.+) is ahead of (.+) on (\\S+) \\((\\S+)\\) and behind it on (\\S+) \\((\\S+)\\): (.+),"
            + " ([^,]+)\\.",
        (page, match) -> {
          for (int machine : new int[] {3, 5}) {
            Ranking ranking =
                cells(page.use(), page.level()).stream()
                    .filter(cell -> cell.machine().equals(match.group(machine)))
                    .filter(cell -> cell.name().equals(match.group(7)))
                    .findFirst()
                    .orElseThrow()
                    .ranking();
            var verdict = ranking.verdict(match.group(1), match.group(2));
            assertThat(verdict.separated()).isTrue();
            assertThat(match.group(machine + 1))
                .isEqualTo(Quantities.ratio(verdict.ratio().value()));
            boolean more = verdict.ratio().value() > 1;
            boolean ahead = more == (ranking.metric().direction() == Direction.HIGHER);
            assertThat(ahead).isEqualTo(machine == 3);
          }
        });
  }

  private interface Advised {
    Set<String> of(String use, String level, String kind);
  }

  /** Returns for example {@code reads and scans}; null without any. */
  private static String uses(String level, String engine, Advised advised) {
    List<String> uses =
        USES.stream()
            .filter(use -> advised.of(use, level, kindOf(engine)).contains(engine))
            .map(use -> use.toLowerCase(Locale.ROOT))
            .toList();
    return uses.isEmpty() ? null : Labels.joined(uses);
  }

  private void checkReach(Matcher match, String use, String level, String engine) {
    assertThat(reach(use, level, kindOf(engine))).contains(engine);
    List<Cell> compared = compared(use, level, kindOf(engine));
    checkBest(match, compared, engine);
    assertThat(match.group("provisional") != null)
        .isEqualTo(count(compared, cell -> cell.counts(engine)) == 1);
    assertThat(match.group("hits")).isEqualTo(lowerHits(file(use), level, engine));
    checkCosts(engine, level, match.group("costs"));
    Map<QualityFlag.Kind, Integer> kinds = new TreeMap<>();
    List<Cell> best = compared.stream().filter(cell -> cell.best(engine)).toList();
    for (Cell cell : best) {
      for (QualityFlag flag : cell.index().flags(cell.group(), engine)) {
        kinds.merge(flag.kind(), RESOURCES.contains(cell.use()) ? 0 : 1, Integer::sum);
      }
    }
    kinds.values().removeIf(number -> number == 0);
    String labels =
        kinds.entrySet().stream()
            .map(
                kind ->
                    kind.getKey().label()
                        + (best.size() == 1
                            ? ""
                            : " in %d of %d".formatted(kind.getValue(), best.size())))
            .collect(Collectors.joining(", "));
    assertThat(match.group("labels")).isEqualTo(labels.isEmpty() ? null : labels);
  }

  private void checkBest(Matcher match, List<Cell> compared, String engine) {
    List<Cell> counting = compared.stream().filter(cell -> cell.counts(engine)).toList();
    List<Cell> leading = compared.stream().filter(cell -> cell.best(engine)).toList();
    int alone = count(compared, cell -> cell.alone(engine));
    assertThat(match.group("field")).isEqualTo(field(counting, kindOf(engine) + "s"));
    if (match.group("only") != null) {
      assertThat(counting).hasSize(1).isEqualTo(leading);
      assertThat(match.group("how")).isEqualTo(alone == 1 ? "as the single best" : "with others");
    } else {
      assertThat(number(match, "best")).isPositive().isEqualTo(leading.size());
      assertThat(number(match, "of")).isGreaterThan(1).isEqualTo(counting.size());
      assertThat(number(match, "alone")).isEqualTo(alone);
    }
    assertThat(number(match, "failed")).isEqualTo(count(compared, cell -> cell.failed(engine)));
    assertThat(number(match, "undecided"))
        .isEqualTo(count(compared, cell -> cell.has(engine) && !cell.counts(engine)));
    List<String> figures = List.of(match.group("figures").split("; (?:and )?", -1));
    List<String> expected =
        leading.stream().map(c -> c.value(engine) + " (" + c.place() + ")").toList();
    int shown = Math.min(3, leading.size());
    assertThat(expected).containsAll(figures.subList(0, shown));
    assertThat(figures.subList(shown, figures.size()))
        .isEqualTo(leading.size() > 3 ? List.of(leading.size() - 3 + " more") : List.of());
  }

  /** Names up to five engines. */
  private static String field(List<Cell> compared, String many) {
    Set<String> field = engines(compared);
    return field.size() > 5 ? many : "of " + Labels.joined(List.copyOf(field));
  }

  private void checkSlow(Matcher match, String use, String level, String engine) {
    assertThat(slow(use, level, kindOf(engine))).contains(engine);
    List<Cell> compared =
        compared(use, level, kindOf(engine)).stream().filter(cell -> cell.has(engine)).toList();
    int failed = count(compared, cell -> cell.failed(engine));
    int last = count(compared, cell -> cell.last(engine));
    assertThat(match.group("why").startsWith("failed")).isEqualTo(failed > 0);
    assertThat(match.group("why").equals("failed")).isEqualTo(failed == last);
    if (failed < last) {
      assertThat(match.group("field")).isEqualTo(field(compared, kindOf(engine)));
    }
    assertThat(match.group("provisional") != null).isEqualTo(compared.size() == 1);
    assertThat(match.group("only") != null).isEqualTo(compared.size() == 1);
    if (match.group("only") == null) {
      assertThat(number(match, "last")).isEqualTo(last);
      assertThat(number(match, "of")).isEqualTo(compared.size());
    }
    checkFurthest(match, compared.stream().filter(cell -> cell.last(engine)).toList(), engine);
  }

  private static void checkFurthest(Matcher match, List<Cell> compared, String engine) {
    List<Cell> far = compared.stream().filter(cell -> cell.far(engine)).toList();
    if (far.isEmpty()) {
      assertThat(match.group("furthest")).isNull();
      return;
    }
    double most = furthest(far, engine).times(engine);
    assertThat(far)
        .filteredOn(cell -> cell.times(engine) > most * (1 - 1e-9))
        .extracting(cell -> against(cell, engine))
        .as("those that are as far behind")
        .contains(match.group("furthest"));
  }

  private static String against(Cell worst, String engine) {
    String first = worst.ranking().standings().get(0).engine();
    return "%s against %s of %s, %s behind (%s)"
        .formatted(
            worst.value(engine), worst.value(first), first, distance(worst, engine), worst.place());
  }

  /** Returns for example {@code 3 of 3 runs: in phase set: killed}. */
  private static String failures(Cell cell, String engine) {
    List<String> failures = cell.failures(engine);
    return "%d of %s: %s"
        .formatted(
            failures.size(),
            Quantities.counted(cell.runs(engine), "run"),
            String.join("; ", new TreeSet<>(failures)));
  }

  private void ofBoth() {
    check(
        "(\\d+) comparisons? of (.+?)s: (?:a single best engine in (\\d+))?(?:, )?"
            + "(?:several may be the best in (\\d+))?(?:, )?(?:no clear lead in (\\d+))?\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level(), page.kind());
          int single = count(compared, c -> c.tested().stream().anyMatch(e -> c.alone(e.engine())));
          assertThat(number(match, 1)).isEqualTo(compared.size());
          assertThat(match.group(2)).isEqualTo(page.kind());
          assertThat(number(match, 3)).isEqualTo(single);
          assertThat(number(match, 4)).isEqualTo(count(compared, Cell::decides) - single);
          assertThat(number(match, 5)).isEqualTo(count(compared, cell -> !cell.decides()));
        });
    check(
        "Nothing can be compared: ranks need two engines with at least 3 repetitions each\\.",
        (page, match) -> {
          assertThat(compared(page.use(), page.level(), page.kind())).isEmpty();
          assertThat(cells(page.use(), page.level(), page.kind()))
              .anyMatch(cell -> !cell.unequal());
          assertThat(all(page)).hasSizeGreaterThan(1);
        });
    check(
        "(\\S+) is the only (.+) here, so none is recommended\\.",
        (page, match) -> {
          assertThat(match.group(2)).isEqualTo(page.kind());
          assertThat(all(page)).containsExactly(match.group(1));
        });
    check(
        "Nothing can be compared: not ranked, as a faster engine wrote more in phases of a fixed"
            + " time\\.",
        (page, match) ->
            assertThat(cells(page.use(), page.level(), page.kind()))
                .isNotEmpty()
                .allMatch(Cell::unequal));
    check(
        "Nothing can be compared: no phase only writes at this level\\.",
        (page, match) -> {
          assertThat(page.use()).isEqualTo("durable");
          assertThat(cells(page.use(), page.level(), page.kind())).isEmpty();
          assertThat(unsafe(page.level(), page.kind())).isNotEmpty();
        });
    check(
        "(?:No two machines have the same order: it is the same"
            + "|Same order on (\\d+) of (\\d+) machines, and) for (\\d+) of (\\d+) pairs? of engines\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level());
          List<String> machines = sharing(compared);
          int same = 0;
          int opposite = 0;
          for (String one : machines) {
            for (String two : machines.subList(machines.indexOf(one) + 1, machines.size())) {
              same += pairs(compared, one, two, false);
              opposite += pairs(compared, one, two, true);
            }
          }
          assertThat(number(match, 3)).isEqualTo(same);
          assertThat(number(match, 4)).isPositive().isEqualTo(same + opposite);
          int most = 0;
          for (int chosen = 1; chosen < (1 << machines.size()); chosen++) {
            int bits = chosen;
            List<String> part =
                machines.stream().filter(m -> ((bits >> machines.indexOf(m)) & 1) == 1).toList();
            boolean agree =
                part.stream()
                    .allMatch(
                        one -> part.stream().allMatch(two -> pairs(compared, one, two, true) == 0));
            most = Math.max(most, agree ? part.size() : 0);
          }
          assertThat(machines).hasSizeGreaterThan(1);
          if (match.group(1) == null) {
            assertThat(most).isEqualTo(1);
          } else {
            assertThat(number(match, 1)).isGreaterThan(1).isEqualTo(most);
            assertThat(number(match, 2)).isEqualTo(machines.size());
          }
        });
    check(
        "No two machines separate the same pair of engines\\.",
        (page, match) -> {
          List<Cell> compared = compared(page.use(), page.level());
          assertThat(machines(compared)).hasSizeGreaterThan(1);
          assertThat(sharing(compared)).isEmpty();
          assertThat(mostMachines(page)).isGreaterThan(1);
        });
    check(
        "No scenario of this use has values from two machines at this level\\.",
        (page, match) -> {
          assertThat(machines(compared(page.use(), page.level()))).hasSizeGreaterThan(1);
          assertThat(mostMachines(page)).isEqualTo(1);
        });
    check(
        "Of (\\d+) pairs of engines that are separated here and on (\\S+), (\\d+) are in the same"
            + " order\\.",
        (page, match) -> {
          String here = page.file().replaceFirst("machine/", "").replaceFirst("\\.html$", "");
          int same = pairs(cells, here, match.group(2), false);
          assertThat(number(match, 3)).isEqualTo(same);
          assertThat(number(match, 1)).isEqualTo(same + pairs(cells, here, match.group(2), true));
        });
  }

  /** The engines of a kind in a part of a page. */
  private Set<String> all(Page page) {
    Set<String> engines = new TreeSet<>();
    cells(page.use(), page.level(), page.kind()).forEach(cell -> engines.addAll(cell.all()));
    return engines;
  }

  /** The number of machines of the scenario that has most, of one use and level. */
  private int mostMachines(Page page) {
    return cells(page.use(), page.level()).stream()
        .collect(Collectors.groupingBy(Cell::scenario))
        .values()
        .stream()
        .mapToInt(all -> machines(all).size())
        .max()
        .orElse(0);
  }

  private static Set<String> machines(List<Cell> cells) {
    return cells.stream().map(Cell::machine).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The machines that separate a pair that another separates, too. */
  private static List<String> sharing(List<Cell> cells) {
    return machines(cells).stream()
        .filter(
            one ->
                machines(cells).stream()
                    .anyMatch(
                        other ->
                            pairs(cells, one, other, false) + pairs(cells, one, other, true) > 0))
        .toList();
  }

  /** Counts the pairs that two machines separate, in opposite directions or in the same. */
  private static int pairs(List<Cell> cells, String one, String other, boolean opposite) {
    int pairs = 0;
    for (Cell here : cells) {
      for (Cell there : cells) {
        boolean same =
            here.machine().equals(one)
                && there.machine().equals(other)
                && !one.equals(other)
                && here.name().equals(there.name())
                && here.use().equals(there.use())
                && here.level().equals(there.level());
        for (Standing first : same ? here.tested() : List.<Standing>of()) {
          for (Standing second : here.tested()) {
            if (first.engine().compareTo(second.engine()) < 0) {
              var a = here.ranking().verdict(first.engine(), second.engine());
              var b = there.ranking().verdict(first.engine(), second.engine());
              boolean turned = (a.ratio().value() > 1) != (b.ratio().value() > 1);
              pairs += a.separated() && b.separated() && turned == opposite ? 1 : 0;
            }
          }
        }
      }
    }
    return pairs;
  }

  private void ofEngines() {
    check(
        "(?<use>[A-Z][a-z ]+?) at fsync=(?<level>\\S+): " + BEST + "\\.",
        (page, match) -> {
          String engine = page.engine();
          String use = match.group("use");
          String level = match.group("level");
          assertThat(reach(use, level, kindOf(engine))).doesNotContain(engine);
          checkBest(match, compared(use, level, kindOf(engine)), engine);
        });
    check(
        "It is not among the best in any comparison\\.",
        (page, match) -> {
          assertThat(comparedAnywhere(page.engine())).isTrue();
          cells.forEach(
              cell ->
                  assertThat(compared(cell.use(), cell.level(), kindOf(page.engine())))
                      .noneMatch(each -> each.best(page.engine())));
        });
    check(
        "It was not compared with another engine of its kind\\.",
        (page, match) -> assertThat(comparedAnywhere(page.engine())).isFalse());
    check(
        "Reach for it when (?<when>.+?) at fsync=(?<level>\\S+) \\((?<promise>.+?)\\)"
            + "(?<provisional>, provisionally)?: "
            + BEST
            + DOUBTS
            + "; (?<others>no|\\d+) other (?<kind>.+?)s? (?:is|are) recommended there(?:, too)?\\.",
        (page, match) -> {
          String engine = page.engine();
          String use = when(match.group("when"));
          String level = match.group("level");
          checkReach(match, use, level, engine);
          checkPromise(match);
          String others = match.group("others");
          assertThat(others.equals("no") ? 0 : number(others))
              .isEqualTo(reach(use, level, kindOf(engine)).size() - 1);
          assertThat(match.group("kind")).isEqualTo(kindOf(engine));
        });
    check(
        "Avoid it when (?<when>.+?) at fsync=(?<level>\\S+) \\((?<promise>.+?)\\)"
            + "(?<provisional>, provisionally)?: "
            + LAST
            + "\\.",
        (page, match) -> {
          checkSlow(match, when(match.group("when")), match.group("level"), page.engine());
          checkPromise(match);
        });
    check(
        "At fsync=(?<level>\\S+) \\((?<promise>.+?)\\): reach for it for (.+); avoid it for (.+)\\.",
        (page, match) -> {
          String level = match.group("level");
          checkPromise(match);
          assertThat(match.group(3)).isEqualTo(uses(level, page.engine(), this::reach));
          assertThat(match.group(4)).isEqualTo(uses(level, page.engine(), this::avoid));
        });
    check(
        "It is not recommended for any use; the comparisons below have its figures\\.",
        (page, match) ->
            cells.forEach(
                cell ->
                    assertThat(reach(cell.use(), cell.level(), kindOf(page.engine())))
                        .doesNotContain(page.engine())));
    check(
        "(?<use>[A-Z][a-z ]+?) at fsync=(?<level>\\S+): at least 2x behind the best (?<field>.+?) in"
            + " (?<far>\\d+) of (?<of>\\d+) comparisons?; furthest with (?<furthest>.+)\\.",
        (page, match) -> {
          String engine = page.engine();
          String use = match.group("use");
          String level = match.group("level");
          List<Cell> compared =
              compared(use, level, kindOf(engine)).stream().filter(c -> c.has(engine)).toList();
          assertThat(slow(use, level, kindOf(engine))).doesNotContain(engine);
          assertThat(match.group("field")).isEqualTo(field(compared, kindOf(engine)));
          assertThat(number(match, "far"))
              .isPositive()
              .isEqualTo(count(compared, cell -> cell.far(engine)));
          assertThat(number(match, "of")).isEqualTo(compared.size());
          checkFurthest(match, compared, engine);
        });
    check(
        "Cache at fsync=(\\S+): its hit ratio is lower: (.+)\\.",
        (page, match) ->
            assertThat(match.group(2))
                .isEqualTo(lowerHits("cache", match.group(1), page.engine())));
    check(
        "Tail: p99 of (\\S+) is (.+ behind \\(.+\\))\\.",
        (page, match) -> {
          List<Cell> tails = new ArrayList<>();
          for (Cell cell : cells) {
            if (cell.ranking().standing(page.engine()).isPresent()) {
              for (Group operation : cell.index().operations(cell.group())) {
                cell.index()
                    .ranking(operation, Metrics.LATENCY_P99)
                    .filter(ranking -> ranking.standing(page.engine()).isPresent())
                    .ifPresent(ranking -> tails.add(cell.of(ranking).among(kindOf(page.engine()))));
              }
            }
          }
          Cell worst = furthest(tails, page.engine());
          assertThat(worst.ranking().group().operation()).contains(match.group(1));
          assertThat(match.group(2)).isEqualTo(against(worst, page.engine()));
        });
    check(
        "Durability is not proven: (.+) at fsync=(\\S+)\\.",
        (page, match) ->
            assertThat(cells)
                .anyMatch(
                    cell ->
                        cell.place().equals(match.group(1))
                            && cell.level().equals(match.group(2))
                            && cell.index().doubted(cell.group(), page.engine())));
    check("In (.+)\\.", (page, match) -> checkCrashes(page.engine(), match.group(1)));
    check(
        "Losses that its level allows: in (.+)\\.",
        (page, match) ->
            checkAll(page.engine(), null, match.group(1), all -> all.costs() && !all.unsafe()));
    check(
        "(\\S+) is (\\S+) with (\\S+)\\.",
        (page, match) ->
            assertThat(cells)
                .flatExtracting(cell -> cell.index().results().runs())
                .filteredOn(run -> run.engine().equals(match.group(1)))
                .isNotEmpty()
                .extracting(run -> run.facts().text(Fact.ASKED))
                .containsOnly(match.group(2) + " " + match.group(3)));
    check(
        "Avoid it when a write must survive at fsync=(?<level>\\S+) \\((?<promise>.+?)\\): in (.+)\\.",
        (page, match) -> {
          checkPromise(match);
          assertThat(unsafe(match.group(1))).contains(page.engine());
          checkAll(page.engine(), match.group(1), match.group(3), Crashes::unsafe);
        });
    check(
        "Its power was not cut, although the scenario cuts it \\((\\S+), (\\S+) at fsync=on\\)\\.",
        (page, match) -> {
          Cell cell = cell(match.group(1), match.group(2), "on");
          assertThat(cell.index().losses(cell.group(), page.engine(), true).crashes()).isEmpty();
          assertThat(cell.index().losses(cell.group(), "engine-a", true).crashes()).isNotEmpty();
          for (Cell each : cells) {
            if (each.index() == cell.index()
                && each.level().equals("on")
                && each.use().equals("Mixed")
                && each.ranking().standing(page.engine()).isPresent()) {
              assertThat(pages.get("use/mixed.html")).contains("on, proven, not cut");
            }
          }
        });
    check(
        "(\\S+) at fsync=(\\S+) on (\\S+): (?:(\\d+) of (\\d+) runs )?failed (.+)\\.",
        (page, match) -> {
          boolean all = match.group(4) == null;
          assertThat(cells)
              .filteredOn(cell -> cell.scenario().equals(match.group(1)))
              .filteredOn(cell -> cell.level().equals(match.group(2)))
              .filteredOn(cell -> cell.machine().equals(match.group(3)))
              .anySatisfy(
                  cell -> {
                    int runs = cell.runs(page.engine());
                    assertThat(cell.failures(page.engine()))
                        .filteredOn(match.group(6)::equals)
                        .hasSize(all ? runs : number(match, 4));
                    assertThat(all ? runs : number(match, 5)).isEqualTo(runs);
                  });
        });
    check(
        "(\\S+) at fsync=(\\S+) on (\\S+): ((?:\\d+ of \\d+ runs )?not durable.+)\\.",
        (page, match) ->
            assertThat(cells)
                .filteredOn(cell -> cell.scenario().equals(match.group(1)))
                .filteredOn(cell -> cell.level().equals(match.group(2)))
                .filteredOn(cell -> cell.machine().equals(match.group(3)))
                .flatExtracting(
                    cell -> cell.index().throughput(cell.group()).excluded(page.engine()))
                .extracting(excluded -> Notes.cause(excluded))
                .contains(match.group(4)));
    check(
        "([A-Z][a-z -]+) in (\\d+) of (\\d+) phases?: (.+)\\.",
        (page, match) -> {
          int having = 0;
          int all = 0;
          Set<List<Object>> phases = new HashSet<>();
          for (Cell cell : cells) {
            if (!RESOURCES.contains(cell.use())
                && phases.add(List.of(System.identityHashCode(cell.index()), cell.group()))
                && cell.index().throughput(cell.group()).standing(page.engine()).isPresent()) {
              all++;
              for (QualityFlag flag : cell.index().flags(cell.group(), page.engine())) {
                having += flag.kind().label().equalsIgnoreCase(match.group(1)) ? 1 : 0;
                if (flag.kind().label().equalsIgnoreCase(match.group(1))) {
                  assertThat(flag.kind().meaning()).isEqualTo(match.group(4));
                }
              }
            }
          }
          assertThat(number(match, 2)).isPositive().isEqualTo(having);
          assertThat(number(match, 3)).isEqualTo(all);
        });
    check(
        "(Memory|Storage) after (.+): (.+) in (\\d+) measurements?\\.",
        (page, match) -> {
          String use = match.group(1).equals("Memory") ? "Memory" : "Footprint";
          List<Cell> own =
              cells.stream()
                  .filter(cell -> cell.use().equals(use))
                  .filter(cell -> cell.ranking().standing(page.engine()).isPresent())
                  .toList();
          assertThat(match.group(2).split(" or ", -1))
              .containsExactlyInAnyOrderElementsOf(
                  own.stream().map(cell -> cell.group().phase()).collect(Collectors.toSet()));
          List<Double> values =
              own.stream()
                  .flatMap(cell -> cell.ranking().standing(page.engine()).stream())
                  .map(standing -> standing.estimate().value())
                  .sorted()
                  .toList();
          assertThat(number(match, 4)).isEqualTo(values.size());
          assertThat(match.group(3))
              .isEqualTo(
                  Quantities.range(Unit.BYTES, values.get(0), values.get(values.size() - 1)));
        });
    check(
        "Nothing was found\\.",
        (page, match) ->
            cells.forEach(
                cell -> {
                  String kind = kindOf(page.engine());
                  assertThat(
                          cell.among(kind).far(page.engine())
                              && !slow(cell.use(), cell.level(), kind).contains(page.engine()))
                      .isFalse();
                  assertThat(cell.index().flags(cell.group(), page.engine())).isEmpty();
                  assertThat(crashes(page.engine(), null)).noneMatch(Crashes::costs);
                  assertThat(lowerHits("cache", cell.level(), page.engine())).isNull();
                }));
  }

  private void ofFigures() {
    check(
        "(\\S+ · \\S+?(?: · \\S+:\\S+?)?)(?: on (\\S+))?, (throughput|memory|storage|p99): (.+)",
        (page, match) -> {
          Cell cell =
              compared(page.use(), page.level()).stream()
                  .filter(each -> each.name().equals(match.group(1)))
                  .filter(each -> match.group(2) == null || each.machine().equals(match.group(2)))
                  .filter(each -> each.ranking().metric().title().equals(match.group(3)))
                  .findFirst()
                  .orElseThrow();
          assertThat(match.group(2) == null).isEqualTo(Set.copyOf(labels.values()).size() == 1);
          assertThat(match.group(4)).isEqualTo(leads(cell));
        });
    check(
        "And (\\d+) more: all comparisons\\.",
        (page, match) ->
            assertThat(number(match, 1))
                .isPositive()
                .isEqualTo(compared(page.use(), page.level()).size() - 3));
    check(
        "With (.+)\\.",
        (page, match) -> {
          // A load has no duration.
          boolean mayLoad = Set.of("ingest", "memory", "footprint").contains(page.use());
          String duration = mayLoad && !match.group(1).contains("duration") ? "" : ", duration=10s";
          assertThat(match.group(1)).isEqualTo(SiteExamples.RECORDS + duration);
        });
    check(
        "All results are from one machine, (\\S+): another may have another order\\.",
        (page, match) -> assertThat(labels.values()).containsExactly(match.group(1)));
    check(
        "All data \\((.+) at most\\) were smaller than the memory of runs: nothing here shows larger data\\.",
        (page, match) -> {
          assertThat(larger(page)).isEmpty();
          double most =
              runs(page)
                  .flatMap(run -> run.phases().stream())
                  .mapToDouble(phase -> phase.facts().number(Fact.USER_LIVE_BYTES))
                  .filter(size -> size > 0)
                  .max()
                  .orElseThrow();
          assertThat(match.group(1)).isEqualTo(Quantities.of(Unit.BYTES, most));
        });
    check(
        "Data were larger than the memory or 'maxmemory' of runs only in the scenarios? (.+)\\.",
        (page, match) ->
            assertThat(match.group(1))
                .isEqualTo(Labels.joined(larger(page).stream().map("'%s'"::formatted).toList())));
    check(
        "Engines that were killed at this level: (none|\\d+); whose power was cut: (none|\\d+)"
            + "(, on a simulated disk with ext4)?(?:; neither: (.+))?\\.",
        (page, match) -> {
          Set<String> killed = crashed(page.level(), false);
          Set<String> cut = crashed(page.level(), true);
          assertThat(match.group(1)).isEqualTo(counted(killed));
          assertThat(match.group(2)).isEqualTo(counted(cut));
          assertThat(match.group(3) != null).isEqualTo(!cut.isEmpty());
          Set<String> spared = new TreeSet<>();
          cells(page.use(), page.level()).forEach(cell -> spared.addAll(cell.all()));
          spared.removeAll(killed);
          spared.removeAll(cut);
          boolean named = killed.size() + cut.size() > 0 && !spared.isEmpty();
          assertThat(match.group(4)).isEqualTo(named ? joined(spared) : null);
        });
    check(
        "Storage: (.+)\\.",
        (page, match) -> {
          Map<String, Set<String>> machines = new TreeMap<>();
          for (Cell cell : cells) {
            if (file(cell.use()).equals(page.use()) && !cell.ranking().standings().isEmpty()) {
              boolean known = cell.index().results().environment().has(Fact.STORAGE_MEDIUM);
              machines
                  .computeIfAbsent(
                      known ? "ext4 on vda (medium unknown)" : "medium unknown",
                      any -> new TreeSet<>())
                  .add(cell.machine());
            }
          }
          assertThat(match.group(1).split("; ", -1))
              .containsExactlyInAnyOrderElementsOf(
                  machines.entrySet().stream()
                      .map(each -> each.getKey() + " of " + joined(each.getValue()))
                      .toList());
        });
  }

  private static String joined(Set<String> names) {
    return Labels.joined(List.copyOf(names));
  }

  private static String counted(Set<String> engines) {
    return engines.isEmpty() ? "none" : Integer.toString(engines.size());
  }

  /** The engines that were killed at a level, or lost their power. */
  private Set<String> crashed(String level, boolean powerCut) {
    return allEngines().stream()
        .filter(
            engine -> crashes(engine, level).stream().anyMatch(each -> each.powerCut() == powerCut))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The best engines of a cell, the next, and the first of the other kind. */
  private static String leads(Cell cell) {
    int best = cell.tested().stream().mapToInt(Standing::rank).min().orElseThrow();
    boolean none = cell.tested().stream().noneMatch(cell::leads);
    List<Standing> leaders = new ArrayList<>();
    List<Standing> others = new ArrayList<>();
    cell.tested()
        .forEach(
            each -> ((none ? each.rank() == best : cell.leads(each)) ? leaders : others).add(each));
    StringBuilder text = new StringBuilder();
    boolean higher = cell.ranking().metric().direction() == Direction.HIGHER;
    List<Standing> named =
        leaders.stream()
            .filter(
                each -> {
                  double own = each.estimate().value();
                  return others.stream()
                      .limit(1)
                      .map(next -> next.estimate().value())
                      .allMatch(next -> higher ? own >= next : own <= next);
                })
            .limit(3)
            .toList();
    text.append(named.stream().map(each -> figure(cell, each)).collect(Collectors.joining(", ")));
    int more = leaders.size() - named.size();
    text.append(more > 0 ? " and %d more".formatted(more) : "");
    text.append(leaders.size() > 1 ? ", " + apart(cell, leaders) : "");
    boolean embedded = SiteExamples.embedded(leaders.get(0).engine());
    boolean same = leaders.stream().allMatch(e -> SiteExamples.embedded(e.engine()) == embedded);
    for (Standing each : others) {
      boolean first = others.indexOf(each) == 0;
      if (first || (same && SiteExamples.embedded(each.engine()) != embedded)) {
        text.append("; ")
            .append(first ? "next" : "first %s".formatted(embedded ? "server" : "embedded"))
            .append(": ")
            .append(figure(cell, each))
            .append(", ")
            .append(behindLeader(cell, each.engine()));
        same &= SiteExamples.embedded(each.engine()) == embedded;
      }
    }
    List<String> few =
        cell.ranking().standings().stream()
            .filter(Standing::untested)
            .map(Standing::engine)
            .toList();
    return text + (few.isEmpty() ? "" : "; too few runs of " + Labels.joined(few)) + ".";
  }

  /** Returns the distance from the first that is separated as better. */
  private static String behindLeader(Cell cell, String engine) {
    boolean higher = cell.ranking().metric().direction() == Direction.HIGHER;
    for (Standing each : cell.ranking().standings()) {
      var verdict = cell.ranking().verdict(each.engine(), engine);
      double ratio = verdict.ratio().value();
      if (verdict.separated() && ratio > 1 == higher) {
        return each.equals(cell.ranking().standings().get(0))
            ? distance(cell, engine)
            : Quantities.ratio(higher ? ratio : 1 / ratio) + " behind " + each.engine();
      }
    }
    return distance(cell, engine);
  }

  private static String apart(Cell cell, List<Standing> leaders) {
    boolean separated =
        leaders.stream()
            .anyMatch(
                one ->
                    leaders.stream()
                        .anyMatch(
                            two -> cell.ranking().verdict(one.engine(), two.engine()).separated()));
    double[] values = leaders.stream().mapToDouble(e -> e.estimate().value()).sorted().toArray();
    double ratio = values[values.length - 1] / values[0];
    return !separated
        ? "not separated"
        : ratio <= 1.1
            ? "within %s of each other".formatted(Quantities.portion(ratio - 1))
            : "not separated by over 10 %";
  }

  private static String figure(Cell cell, Standing standing) {
    String engine = standing.engine();
    String kind = SiteExamples.embedded(engine) ? "embedded" : "server";
    return "%s (%s) %s".formatted(engine, kind, cell.value(engine));
  }

  /** The runs that a page is about. */
  private Stream<RunRecord> runs(Page page) {
    return cells.stream()
        .filter(cell -> page.use().isEmpty() || file(cell.use()).equals(page.use()))
        .flatMap(cell -> cell.index().results().runs().stream());
  }

  /** The scenarios of a page with a run that had less memory than data. */
  private Set<String> larger(Page page) {
    Set<String> scenarios = new TreeSet<>();
    for (Cell cell : cells) {
      boolean about = page.use().isEmpty() || file(cell.use()).equals(page.use());
      for (RunRecord run : about ? cell.index().results().runs() : List.<RunRecord>of()) {
        for (PhaseRecord phase : run.phases()) {
          if (phase.facts().number(Fact.USER_LIVE_BYTES)
              > run.facts().number(Fact.MEMORY_AVAILABLE_BYTES)) {
            scenarios.add(cell.scenario());
          }
        }
      }
    }
    return scenarios;
  }

  private void ofExecutions() {
    check(
        "Runs that count: (\\d+) of (\\d+)\\.",
        (page, match) -> {
          Cell cell = cell(page);
          Ranking throughput = cell.index().throughput(cell.group());
          assertThat(number(match, 1))
              .isEqualTo(
                  throughput.standings().stream().mapToLong(e -> e.estimate().samples()).sum());
          assertThat(number(match, 2))
              .isEqualTo(
                  cell.index().engines().stream()
                      .mapToInt(engine -> cell.index().runs(cell.group(), engine).size())
                      .sum());
        });
    check(
        "first: left out: others disturbed most runs of (\\S+) \\((\\d+) of (\\d+) runs\\), and a quiet"
            + " execution measured the same\\.",
        (page, match) -> {
          ExecutionResults busy =
              given.stream().filter(e -> e.name().equals(match.group(1))).findFirst().orElseThrow();
          assertThat(busy.name()).endsWith(SiteExamples.BUSY);
          int measured =
              (int)
                  busy.runs().stream()
                      .filter(run -> run.outcome() instanceof Outcome.Completed)
                      .count();
          assertThat(number(match, 2)).isEqualTo(measured);
          assertThat(number(match, 3)).isEqualTo(measured);
        });
    check(
        "second: others disturbed most runs of (\\S+) \\((\\d+) of (\\d+) runs\\), and no quiet"
            + " execution measured the same; repeat these runs on a quiet machine\\.",
        (page, match) -> {
          assertThat(match.group(1)).isEqualTo(SiteExamples.ONLY_BUSY);
          assertThat(match.group(2)).isEqualTo(match.group(3));
        });
    check(
        "(\\S+): commits of a version of kvrank differ, and are ranked together:"
            + " 0\\.1\\.0\\+gaaaaaaa \\((\\S+)\\), 0\\.1\\.0\\+gbbbbbbb \\((\\S+)\\)\\.",
        (page, match) -> {
          assertThat(match.group(2)).isEqualTo(match.group(1) + "/machine-0-0");
          assertThat(match.group(3)).isEqualTo(match.group(1) + "/machine-0-1");
        });
    check(
        "(\\d+) versions or commits of kvrank made these executions: (.+)\\.",
        (page, match) -> {
          assertThat(number(match, 1)).isEqualTo(2);
          assertThat(match.group(2)).isEqualTo("0.1.0+gaaaaaaa, 0.1.0+gbbbbbbb");
        });
  }

  /** What a scenario requires of an engine, and the worst value that decides it. */
  private record Bound(String text, int severity, String value) {
    static final int NOT_CERTAIN = 3;
    static final int FAILED = 4;
  }

  /** Returns the worst verdict on each requirement of the second scenario. */
  private List<Bound> bounds(RankingIndex index, String engine) {
    List<Bound> bounds = new ArrayList<>();
    for (Expectation each : SiteExamples.requirements(List.of(engine))) {
      Bound worst = null;
      double excess = -1;
      for (Group group : index.phaseGroups()) {
        Expectation.Cell cell = each.cells().get(0);
        Optional<Estimate> found =
            index
                .ranking(cell.operation().map(group::forOperation).orElse(group), each.metric())
                .flatMap(ranking -> ranking.standing(engine))
                .map(Standing::estimate);
        if (!cell.phase().map(group.phase()::equals).orElse(true)) {
          continue;
        }
        if (found.isEmpty()) {
          worst = new Bound(each.requirement(), Bound.FAILED, "");
          excess = Double.POSITIVE_INFINITY;
          continue;
        }
        Estimate estimate = found.get();
        boolean met = estimate.value() < each.bound();
        boolean open =
            estimate.hasInterval()
                && estimate.low() < each.bound() != estimate.high() < each.bound();
        int severity = met ? (open ? 1 : 0) : open ? Bound.NOT_CERTAIN : Bound.FAILED;
        String value = Quantities.of(each.metric().unit(), estimate.value());
        double own = 1000 * severity + estimate.value() / each.bound();
        if (own > excess) {
          excess = own;
          worst = new Bound(each.requirement(), severity, value);
        }
      }
      if (worst != null) {
        bounds.add(worst);
      }
    }
    return bounds;
  }

  private static String verdict(List<Bound> bounds) {
    return bounds.stream().anyMatch(each -> each.severity() == Bound.FAILED)
        ? "fails"
        : bounds.stream().anyMatch(each -> each.severity() % 2 == 1) ? "not certain" : "meets";
  }

  private Cell required(String machine) {
    return cells.stream()
        .filter(each -> each.machine().equals(machine) && each.scenario().equals("second"))
        .findFirst()
        .orElseThrow();
  }

  /** Checks the verdict on an engine, and the values that it rests on. */
  private void checkVerdict(String machine, String engine, Matcher match) {
    List<Bound> bounds = bounds(required(machine).index(), engine);
    String verdict = verdict(bounds);
    assertThat(bounds).hasSize(2);
    String text = match.group("verdict");
    assertThat(text.replaceFirst("fails [12] of 2 requirements", "fails"))
        .isEqualTo(
            switch (verdict) {
              case "meets" -> "meets both requirements";
              case "fails" -> "fails";
              default -> "may not meet both requirements";
            });
    List<Bound> shown =
        bounds.stream()
            .filter(
                each ->
                    switch (verdict) {
                      case "meets" -> true;
                      case "fails" -> each.severity() == Bound.FAILED;
                      default -> each.severity() % 2 == 1;
                    })
            .toList();
    if (verdict.equals("fails")) {
      assertThat(text).startsWith("fails %d of".formatted(shown.size()));
    }
    assertThat(List.of(match.group("details").split("; ", -1)))
        .hasSameSizeAs(shown)
        .allSatisfy(
            detail ->
                assertThat(shown)
                    .anySatisfy(
                        each -> {
                          String[] bound = each.text().split(" < ", -1);
                          if (each.value().isEmpty()) {
                            assertThat(detail).startsWith(bound[0] + ": not durable: it LOST ");
                          } else {
                            assertThat(detail.split(", ", 2)[0])
                                .isEqualTo(bound[0] + " " + each.value());
                            assertThat(detail.contains(", wanted < " + bound[1]))
                                .isEqualTo(!verdict.equals("meets"));
                          }
                        }));
  }

  private void ofRequirements() {
    String verdict =
        "(?<verdict>meets both requirements|may not meet both requirements|fails [12] of 2"
            + " requirements): (?<details>.+)\\.";
    check(
        "(\\S+) " + verdict,
        (page, match) ->
            checkVerdict(page.section().replaceFirst("second on ", ""), match.group(1), match));
    check(
        "second on (\\S+): it " + verdict,
        (page, match) -> checkVerdict(match.group(1), page.engine(), match));
    check(
        "On (\\S+), (.+?) meets? both requirements of second(?: \\(lowest memory first\\))?"
            + "(?:; not certain: (.+?))?(?:; fails: (.+?))?\\.",
        (page, match) -> {
          RankingIndex index = required(match.group(1)).index();
          Map<String, Set<String>> verdicts = new TreeMap<>();
          for (String engine : index.engines()) {
            verdicts
                .computeIfAbsent(verdict(bounds(index, engine)), any -> new TreeSet<>())
                .add(engine);
          }
          assertThat(names(match.group(2).replace("no engine certainly", "")))
              .isEqualTo(verdicts.getOrDefault("meets", Set.of()));
          assertThat(names(match.group(3)))
              .isEqualTo(verdicts.getOrDefault("not certain", Set.of()));
          assertThat(names(match.group(4))).isEqualTo(verdicts.getOrDefault("fails", Set.of()));
        });
    check(
        "The memory of (\\S+) is (\\S+) that of (\\S+)\\.",
        (page, match) -> {
          RankingIndex index = required(page.section().replaceFirst("second on ", "")).index();
          assertThat(index.phaseGroups())
              .map(group -> index.ranking(group, Metrics.MEMORY).orElseThrow())
              .map(each -> each.verdict(match.group(1), match.group(3)))
              .filteredOn(each -> each.separated())
              .extracting(each -> Quantities.ratio(each.ratio().value()))
              .contains(match.group(2));
        });
    check(
        "Memory does not separate (\\S+) and (\\S+)\\.",
        (page, match) -> {
          RankingIndex index = required(page.section().replaceFirst("second on ", "")).index();
          assertThat(index.phaseGroups())
              .map(group -> index.ranking(group, Metrics.MEMORY).orElseThrow())
              .map(each -> each.verdict(match.group(1), match.group(2)))
              .anyMatch(each -> !each.separated());
        });
  }

  /** Returns the engines of an enumeration. */
  private static Set<String> names(String text) {
    return text == null || text.isEmpty()
        ? Set.of()
        : new TreeSet<>(List.of(text.split(", | and ", -1)));
  }

  /** The cell of a section of the page of runs. */
  private Cell cell(Page page) {
    return cells.stream()
        .filter(
            each ->
                page.file().equals("runs/%s--%s.html".formatted(each.scenario(), each.machine())))
        .filter(each -> each.group().label().equals(page.section()))
        .findFirst()
        .orElseThrow();
  }

  private Cell cell(String machine, String scenario, String level) {
    return cells.stream()
        .filter(each -> each.machine().equals(machine))
        .filter(each -> each.scenario().equals(scenario))
        .filter(each -> each.level().equals(level))
        .findFirst()
        .orElseThrow();
  }

  private static Cell furthest(List<Cell> cells, String engine) {
    Cell worst = null;
    for (Cell cell : cells) {
      boolean tested = cell.ranking().standing(engine).filter(each -> !each.untested()).isPresent();
      if (tested
          && cell.times(engine) >= 2
          && (worst == null || cell.times(engine) > worst.times(engine))) {
        worst = cell;
      }
    }
    return requireNonNull(worst);
  }

  /** The ratio to the best, at least 1, with its interval. */
  private static String distance(Cell cell, String engine) {
    Ratio ratio = cell.ranking().standing(engine).orElseThrow().ratio();
    boolean higher = cell.ranking().metric().direction() == Direction.HIGHER;
    String value = Quantities.ratio(higher ? 1 / ratio.value() : ratio.value());
    String interval =
        higher
            ? Quantities.ratios(1 / ratio.high(), 1 / ratio.low())
            : Quantities.ratios(ratio.low(), ratio.high());
    return value.equals(interval) || interval.equals(Quantities.NONE)
        ? value
        : value + " (" + interval + ")";
  }

  private static void checkPromise(Matcher match) {
    assertThat(match.group("promise"))
        .isEqualTo(
            match.group("level").equals("on") ? "writes are synced" : "writes are not synced");
  }

  private static String when(String when) {
    return switch (when) {
      case "you mostly read" -> "reads";
      case "you load or write heavily" -> "ingest";
      case "you read and write" -> "mixed";
      case "a write must survive" -> "durable";
      case "you scan" -> "scans";
      case "you delete" -> "deletes";
      case "you cache or records expire" -> "cache";
      case "memory is short" -> "memory";
      case "storage is short" -> "footprint";
      default -> throw new IllegalArgumentException(when);
    };
  }

  private static String text(String html) {
    return html.replaceAll("<[^>]*>", "")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  @Test
  void aSiteWithoutAnyCutSaysSo() {
    Outcome failed = new Outcome.Failed("load", Cause.ENGINE, "it ran out of space");
    List<RunRecord> runs =
        Stream.of("one", "other")
            .map(Runs::run)
            .map(
                run ->
                    run.at("fsync", "on")
                        .outcome(failed)
                        .phases(Runs.phase("load", failed))
                        .crashTest(CrashTrialResult.missed(true, failed))
                        .build())
            .toList();
    ExecutionResults results =
        Runs.results(Runs.manifest("one", "other").phases("load").build(), runs);
    assertThat(Site.of(List.of(results)).entrySet())
        .filteredOn(page -> page.getKey().startsWith("runs/"))
        .singleElement()
        .satisfies(
            page ->
                assertThat(new String(page.getValue(), UTF_8))
                    .contains("In power cuts at fsync=on, one and other were not cut."));
  }

  @Test
  void cardsAndPagesBeginWithTheStrongestLevel() {
    build(new SiteExamples(1, 3).executions(1, 3));
    assertThat(pages.get("index.html").split("<article"))
        .filteredOn(card -> card.contains("fsync=on") && card.contains("fsync=off"))
        .isNotEmpty()
        .allMatch(card -> card.indexOf("fsync=on") < card.indexOf("fsync=off"));
  }

  @Test
  void everySentenceFollowsFromTheResultsAndEveryTemplateIsUsed() {
    ofUses();
    ofBoth();
    ofEngines();
    ofFigures();
    ofExecutions();
    ofRequirements();
    everySentenceFollows(1, 3, 3, 4);
    everySentenceFollows(2, 3, 4, 4);
    everySentenceFollows(3, 1, 3, 3);
    everySentenceFollows(4, 4, 5, 5);
    everySentenceFollows(5, 2, 2, 4);
    everySentenceFollows(6, 2, 3, 1);
    everySentenceFollows(8, 2, 5, 3);
    everySentenceFollows(10, 2, 3, 7);
    everySentenceFollows(
        new SiteExamples(9, 3)
            .executions(1, 3).stream()
                .filter(each -> each.manifest().scenario().equals(SiteExamples.TIMED))
                .toList(),
        1,
        3);
    everySentenceFollows(
        new SiteExamples(11, 2)
            .executions(1, 3).stream().filter(each -> each.name().endsWith("-0-0")).toList(),
        1,
        3);

    everySentenceFollows(
        new SiteExamples(12, 3)
            .executions(2, 4).stream()
                .filter(each -> each.name().matches("first/machine-0-[01]|second/machine-1-0"))
                .toList(),
        2,
        4);

    assertThat(seen.keySet()).containsAll(checks.keySet().stream().map(Pattern::pattern).toList());
  }

  private void everySentenceFollows(long seed, int machines, int repetitions, int engines) {
    everySentenceFollows(
        new SiteExamples(seed, repetitions).executions(machines, engines), machines, engines);
  }

  private void everySentenceFollows(List<ExecutionResults> executions, int machines, int engines) {
    build(executions);
    int sentences = 0;
    for (Map.Entry<String, String> page : pages.entrySet()) {
      Matcher claim = CLAIM.matcher(page.getValue());
      while (claim.find()) {
        check(page(page.getKey(), page.getValue(), claim.start()), text(claim.group(2)));
        sentences++;
      }
    }
    assertThat(sentences).isGreaterThan(machines * engines);
    checkCards();
    checkEngines();
    for (Cell cell : cells) {
      for (String lost : CrashAnswers.of(cell.index())) {
        assertThat(text(pages.get("use/durable.html")))
            .contains(cell.machine() + ", " + cell.scenario() + ": " + lost);
      }
    }
    for (Cell cell : cells) {
      if (!compared(cell.use(), cell.level()).isEmpty()) {
        Set<String> reach = new TreeSet<>();
        Set<String> avoid = new TreeSet<>();
        for (String kind : KINDS) {
          reach.addAll(reach(cell.use(), cell.level(), kind));
          avoid.addAll(avoid(cell.use(), cell.level(), kind));
        }
        assertThat(named("Reach for ", cell)).isEqualTo(reach);
        assertThat(named("Avoid ", cell)).isEqualTo(avoid);
      }
    }
  }

  /** Returns where a sentence is; a card of the first page counts as the page of its use. */
  private static Page page(String file, String html, int at) {
    String before = html.substring(0, at);
    Matcher kind = KIND.matcher(last(HEADING, 0, before));
    String engines = kind.matches() ? kind.group(1).toLowerCase(Locale.ROOT) : "";
    if (!file.equals("index.html")) {
      return new Page(file, last(SECTION, before), engines);
    }
    return new Page(last(CARD, before), last(LEVEL, before), engines);
  }

  private static String last(Pattern pattern, String html) {
    return text(last(pattern, 1, html));
  }

  private static String last(Pattern pattern, int group, String html) {
    return pattern.matcher(html).results().map(f -> f.group(group)).reduce("", (a, b) -> b);
  }

  /** The first page names the same engines as the pages of uses. */
  private void checkCards() {
    String html = pages.get("index.html");
    Matcher names = NAMES.matcher(html);
    Map<String, Set<String>> found = new TreeMap<>();
    while (names.find()) {
      Page page = page("index.html", html, names.start());
      Set<String> named = new TreeSet<>();
      for (String name : text(names.group(3)).split(", ", -1)) {
        String engine = name.replaceFirst(" \\(.*", "");
        named.add(engine);
        checkProvisional(page, names.group(1), engine, names.group(2) != null);
        int failed =
            count(compared(page.use(), page.level(), page.kind()), cell -> cell.failed(engine));
        int of = count(compared(page.use(), page.level(), page.kind()), cell -> cell.has(engine));
        assertThat(name.contains(" (failed in "))
            .isEqualTo(failed > 0)
            .isEqualTo(name.endsWith(" (failed in %d of %d)".formatted(failed, of)));
        assertThat(name.contains(" (lower hit ratio)"))
            .as(name)
            .isEqualTo(
                names.group(1).equals("Reach for")
                    && lowerHits(page.use(), page.level(), engine) != null);
        assertThat(name.contains(" (lost data "))
            .as(name)
            .isEqualTo(
                names.group(1).equals("Reach for")
                    && costs(engine, page.level()).findAny().isPresent());
        for (boolean cut : new boolean[] {true, false}) {
          String where = (cut ? "in power cuts" : "when killed") + " even at fsync=on";
          assertThat(name.contains(where))
              .as(name)
              .isEqualTo(
                  names.group(1).equals("Reach for")
                      && page.level().equals("off")
                      && costs(engine, "on").anyMatch(each -> each.powerCut() == cut));
        }
        assertThat(name.contains(" (not durable)"))
            .as(name)
            .isEqualTo(names.group(1).equals("Avoid") && unsafe(page.level()).contains(engine));
      }
      found
          .computeIfAbsent(
              page.use() + page.level() + page.kind() + names.group(1), any -> new TreeSet<>())
          .addAll(named);
    }
    for (Cell cell : cells) {
      for (String kind : KINDS) {
        List<Cell> compared = compared(cell.use(), cell.level(), kind);
        String key = file(cell.use()) + cell.level() + kind;
        Set<String> none = Set.of();
        Set<String> reach = reach(cell.use(), cell.level(), kind);
        Set<String> avoid = avoid(cell.use(), cell.level(), kind);
        assertThat(found.getOrDefault(key + "Reach for", none))
            .as(key)
            .isEqualTo(compared.isEmpty() ? none : reach);
        assertThat(found.getOrDefault(key + "Avoid", none))
            .as(key)
            .isEqualTo(avoid.isEmpty() ? none : avoid);
      }
    }
  }

  /** One comparison is not much. */
  private void checkProvisional(Page page, String verb, String engine, boolean provisional) {
    List<Cell> compared = compared(page.use(), page.level(), page.kind());
    boolean reach = verb.equals("Reach for");
    int number = count(compared, cell -> reach ? cell.counts(engine) : cell.has(engine));
    boolean broken =
        !reach && page.use().equals("durable") && unsafe(page.level()).contains(engine);
    assertThat(provisional).as(engine).isEqualTo(number == 1 && !broken);
  }

  /** The page of an engine has all advice about it, and no other. */
  private void checkEngines() {
    for (String engine : allEngines()) {
      Set<String> expected = new TreeSet<>();
      for (String use : USES) {
        for (String level : List.of("on", "off")) {
          String advice = " it when, %s, %s".formatted(file(use), level);
          if (reach(use, level, kindOf(engine)).contains(engine)) {
            expected.add("Reach for" + advice);
          }
          if (avoid(use, level, kindOf(engine)).contains(engine)) {
            expected.add("Avoid" + advice);
          }
        }
      }
      Pattern advice = Pattern.compile("(Reach for|Avoid) it when (.+?) at fsync=(\\S+) .*");
      Set<String> found =
          CLAIM
              .matcher(pages.getOrDefault("engine/" + engine + ".html", ""))
              .results()
              .map(claim -> advice.matcher(text(claim.group(2))))
              .filter(Matcher::matches)
              .map(
                  match ->
                      "%s it when, %s, %s"
                          .formatted(match.group(1), when(match.group(2)), match.group(3)))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(found).as(engine).isEqualTo(expected);
    }
  }

  /** The engines that the page of a use names at a level. */
  private Set<String> named(String verb, Cell cell) {
    String page = pages.get("use/" + file(cell.use()) + ".html");
    String section =
        page.split("\\(fsync=" + cell.level() + "\\)</h2>", 2)[1].split("</section>", 2)[0];
    return CLAIM
        .matcher(section)
        .results()
        .map(found -> text(found.group(2)))
        .filter(sentence -> sentence.startsWith(verb))
        .map(sentence -> sentence.substring(verb.length()).replaceFirst("[:,].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void check(Page page, String sentence) {
    List<Pattern> matching =
        checks.keySet().stream().filter(each -> each.matcher(sentence).matches()).toList();
    assertThat(matching).as("%s: '%s'", page.file(), sentence).hasSize(1);
    Matcher match = matching.get(0).matcher(sentence);
    assertThat(match.matches()).isTrue();
    seen.merge(matching.get(0).pattern(), 1, Integer::sum);
    try {
      checks.get(matching.get(0)).of(page, match);
    } catch (AssertionError e) {
      throw new AssertionError(page.file() + ": '" + sentence + "': " + e.getMessage(), e);
    }
  }

  /** The rows that a figure leads to are as many as the runs that it is the mean of. */
  @Test
  void figuresLeadToTheRunsThatCount() {
    build(new SiteExamples(2, 4).executions(3, 4));
    int omitted = 0;
    for (Cell cell : cells) {
      String page = pages.get("runs/%s--%s.html".formatted(cell.scenario(), cell.machine()));
      for (Standing standing : cell.ranking().standings()) {
        String anchor =
            "p%d-%d"
                .formatted(
                    cell.index().phaseGroups().indexOf(cell.group()),
                    cell.index().engines().indexOf(standing.engine()));
        String rows = page.split("<tbody id=\"" + anchor + "\">", 2)[1].split("</tbody>", 2)[0];
        int counting = rows.split("<tr>", -1).length - 1;
        omitted += rows.split("<tr class=\"omitted\">", -1).length - 1;
        assertThat(counting).as(anchor).isEqualTo((int) standing.estimate().samples());
        assertThat(pages.get("engine/" + standing.engine() + ".html"))
            .contains("runs/%s--%s.html#%s\"".formatted(cell.scenario(), cell.machine(), anchor));
      }
    }
    assertThat(omitted).isPositive();
    assertThat(pages.get("runs/first--" + labels.get(machine(1)) + ".html"))
        .contains(">disturbed: others used 43 % of the machine", ">failed in phase get: it ran");
  }

  private String machine(int number) {
    return given.stream()
        .filter(each -> each.name().equals("first/machine-%d-0".formatted(number)))
        .map(each -> MachineName.of(each.environment()))
        .findFirst()
        .orElseThrow();
  }

  /** A page of a machine names what does not count. */
  @Test
  void machinesNameTheExecutionThatIsLeftOut() {
    build(new SiteExamples(2, 4).executions(3, 4));
    assertThat(pages.get("machine/" + labels.get(machine(0)) + ".html"))
        .contains("first/machine-0-2", "no, others disturbed it", "0.1.0+gbbbbbbb");
    assertThat(pages.get("runs/first--" + labels.get(machine(0)) + ".html"))
        .contains("git checkout " + "a".repeat(40), "git checkout " + "b".repeat(40))
        .doesNotContain("results/first/machine-0-2");
  }

  @Test
  void linksLeadToPagesAndRowsOfTheSite() {
    build(new SiteExamples(1, 3).executions(3, 4));
    pages.forEach(
        (file, html) -> {
          Matcher link = LINK.matcher(html);
          while (link.find()) {
            String[] parts = link.group(1).split("#", 2);
            if (parts[0].equals("data:,")) {
              continue;
            }
            String target =
                parts[0].isEmpty()
                    ? file
                    : Path.of(file).resolveSibling(parts[0]).normalize().toString();
            assertThat(pages).as(file + " links to " + link.group(1)).containsKey(target);
            if (parts.length == 2) {
              assertThat(pages.get(target)).contains("id=\"" + parts[1] + "\"");
            }
          }
          assertThat(html)
              .contains("Content-Security-Policy", "default-src &#39;none&#39;")
              .doesNotContain("http://", "https://");
          assertThat(html.split("<script", -1)).hasSize(2);
        });
  }
}
