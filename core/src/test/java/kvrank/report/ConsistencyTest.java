package kvrank.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.metric.Expectation;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Preference;
import kvrank.metric.Scope;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.RankingText;
import kvrank.report.section.Answers;
import kvrank.report.section.RequirementsReport;
import kvrank.report.write.Reports;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.AcrossWorkloads;
import kvrank.stats.Group;
import kvrank.stats.Merge;
import kvrank.stats.PhaseBuilder;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Requirements;
import kvrank.stats.Runs;
import kvrank.stats.Standing;
import kvrank.stats.infer.Ratio;
import kvrank.table.TableRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A number that a report shows in several places is the same in each: that of the index. */
class ConsistencyTest {

  private static final Evidence EVIDENCE = new MadeUpEvidence("name: example\n");
  private static final Map<String, String> OFF = Map.of("fsync", "off");
  private static final List<Double> SPEEDS = List.of(20_000.0, 23_000.0, 28_000.0, 40_000.0);
  private static final List<String> ENGINES = List.of("e1", "e2", "e3", "e4", "broken", "gone");
  private static final int REPETITIONS = 6;

  private static final List<String> FREE = List.of("load", "set", "get", "set-get", "delete");
  private static final List<String> RATES = List.of("load", "get", "paced", "slow");

  /** The columns of the table {@code kvbench} with the numbers of a whole phase. */
  private static final Map<String, String> INDEX =
      Map.of("BatchWrite", "load", "Set", "set", "Get", "get", "Delete", "delete");

  private static final Pattern QUANTITY =
      Pattern.compile("([0-9.]+) ?([kM]?/s|[nµm]?s|[KMG]?i?B|x)(?: .*)?");

  private static final Pattern FASTEST =
      Pattern.compile(
          "(?:(?<place>[^:]+): )?(?<first>\\S+) is fastest: (?<value>[0-9.]+ [kM]?/s),"
              + " (?<ratio>[0-9.]+x) as fast as (?<second>\\S+?)(?: \\((?<reach>\\S+)\\))?[.,].*");

  private static final Pattern BEST =
      Pattern.compile(
          "(?:(?<place>[^:]+): )?(?<first>\\S+) is best: .*p99 (?<value>[0-9.]+ [nµm]?s), that of"
              + " (?<second>\\S+) is (?<ratio>[0-9.]+x) as high(?: \\((?<reach>\\S+)\\))?[.,].*");

  private static final Pattern SEVERAL =
      Pattern.compile("(\\S+) is fastest( in [^:]+)?: (\\S+x) as fast as (.*?)(?: \\(95.*)?\\.?");

  private static final Pattern MEMORY =
      Pattern.compile(
          "(?:Least m|M)emory(?<data> for data)?, (?<phase>\\S+) at [^:]+: (?<engines>.+?)"
              + "(?:; (?:and \\d+ more|each includes|all except|with the client).*)?");

  /** Values that share their ranks, which are in brackets. */
  private static final Pattern RANKED = Pattern.compile("(.+?)(?: \\((?:rank )?([^)]+)\\))?");

  /** A table with the heading or the title of the fold above it, and the text between them. */
  private record Shown(String place, String above, List<String> columns, List<List<String>> rows) {

    String cell(List<String> row, String column) {
      return row.get(columns.indexOf(column));
    }
  }

  static Stream<Arguments> reports() {
    List<Arguments> reports = new ArrayList<>();
    for (int seed = 1; seed <= 6; seed++) {
      reports.add(
          Arguments.of(
              "free, " + seed, of(results(seed, FREE)), Set.of("overview", "index", "memory")));
    }
    for (int seed = 1; seed <= 3; seed++) {
      ExecutionResults required = required(results(seed, FREE));
      reports.add(Arguments.of("required, " + seed, of(required), Set.of("requirements")));
      ExecutionResults rates = results(seed, RATES);
      reports.add(Arguments.of("rates, " + seed, of(rates), Set.of("overview", "memory")));
      ExecutionResults more = results(seed + 100, FREE);
      reports.add(
          Arguments.of(
              "merged, " + seed,
              of(results(seed, FREE), more),
              Set.of("overview", "index", "memory")));
    }
    return reports.stream();
  }

  private static Reports of(ExecutionResults... executions) {
    return Reports.of(Merge.of(List.of(executions)));
  }

  /**
   * Four engines of unequal noise, some of whose repetitions have no record; one that fails, and
   * one that is not available. With every second seed, their memory for data is known.
   */
  private static ExecutionResults results(int seed, List<String> phases) {
    Random random = new Random(seed);
    Map<String, String> facts =
        seed % 2 == 0 ? Map.of("memory.emptyAnonymousBytes", "1048576") : Map.of();
    List<RunRecord> runs = new ArrayList<>();
    for (int e = 1; e <= SPEEDS.size(); e++) {
      for (int repetition = 1; repetition <= REPETITIONS; repetition++) {
        if (repetition < 4 || random.nextInt(3) > 0) {
          List<PhaseRecord> records = new ArrayList<>();
          for (String phase : phases) {
            records.add(phase(phase, SPEEDS.get(e - 1), 0.03 * e, random));
          }
          runs.add(
              Runs.run("e" + e)
                  .at(OFF)
                  .repetition(repetition)
                  .facts(facts)
                  .phases(records)
                  .build());
        }
      }
    }
    Outcome failed = new Outcome.Failed("get", Cause.ENGINE, "it closed the connection");
    for (int repetition = 1; repetition <= REPETITIONS; repetition++) {
      runs.add(
          Runs.run("broken")
              .at(OFF)
              .repetition(repetition)
              .outcome(failed)
              .phases(phase("load", 9_000, 0.1, random), Runs.phase("get", failed))
              .build());
    }
    runs.add(Runs.run("gone").at(OFF).outcome(new Outcome.Unavailable("not installed")).build());
    Manifest manifest =
        Runs.manifest(ENGINES)
            .phases(phases)
            .factor("fsync", "off")
            .repetitions(REPETITIONS)
            .tables(phases.equals(FREE) ? List.of(TableRequest.of("kvbench")) : List.of())
            .planned(Instant.ofEpochSecond(seed))
            .runs(runs)
            .build();
    return new ExecutionResults(
        Path.of("results/" + seed), manifest, new Facts().put(Fact.HOST, "alpha"), runs, List.of());
  }

  /** A phase of 10 s, with about as many operations per second or, at a rate, as little latency. */
  private static PhaseRecord phase(String name, double typical, double noise, Random random) {
    double speed = typical * Math.exp(noise * random.nextGaussian());
    double other = typical * Math.exp(noise * random.nextGaussian());
    PhaseBuilder phase =
        Runs.phase(name)
            .at(OFF)
            .memory(Math.round(4e12 / other))
            .footprint(Math.round(1e12 / typical));
    if (name.equals("load")) {
      long nanos = Math.round(5000e9 / speed);
      return phase.elapsedNanos(nanos).operation("insert", 5000e9 / nanos).build();
    }
    if (name.equals("paced") || name.equals("slow")) {
      double rate = name.equals("paced") ? 2000 : 20;
      // The throughputs differ by chance.
      double kept = rate * (1 + 1e-3 * random.nextGaussian());
      return phase
          .operation("read", Runs.operation(kept * 0.8, 1e9 / speed, Map.of()))
          .operation("update", Runs.operation(kept * 0.2, 1e9 / other, Map.of()))
          .facts(
              Map.of("rate.asked", Double.toString(rate), "rate.achieved", Double.toString(rate)))
          .build();
    }
    return switch (name) {
      case "set" -> phase.operation("update", speed).build();
      case "get" -> phase.operation("read", speed).build();
      case "delete" -> phase.operation("delete", speed).build();
      default -> phase.operation("writer:update", speed).operation("readers:read", other).build();
    };
  }

  private static ExecutionResults required(ExecutionResults plain) {
    List<Expectation.Cell> get =
        List.of(new Expectation.Cell(Optional.of("get"), Optional.empty()));
    List<Expectation> bounds = new ArrayList<>();
    for (String engine : ENGINES) {
      bounds.add(
          new Expectation(
              "get throughput > 25k",
              engine,
              get,
              Metrics.THROUGHPUT,
              false,
              25_000,
              new TreeMap<>()));
      bounds.add(
          new Expectation(
              "get memory < 170MiB",
              engine,
              get,
              Metrics.MEMORY,
              true,
              170 << 20,
              new TreeMap<>()));
    }
    Manifest manifest =
        Runs.from(plain.manifest())
            .expectations(bounds)
            .prefer(new Preference("get footprint", get, Metrics.FOOTPRINT))
            .build();
    return new ExecutionResults(
        plain.directory(), manifest, plain.environment(), plain.runs(), plain.unreadable());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reports")
  void numbersOfAReportHaveOneSource(String name, Reports reports, Set<String> expected) {
    RankingIndex index = reports.index();
    assertRatios(index);
    assertSameNumbers(index);
    SortedMap<String, byte[]> files = reports.files(EVIDENCE, false);
    assertJson(index, JsonMapper.shared().readTree(files.get("rankings.json")));
    assertCsv(index, new String(files.get("rankings.csv"), UTF_8));
    String markdown = new String(files.get("rankings.md"), UTF_8);
    List<Shown> tables = tables(markdown);
    Set<String> kinds = new TreeSet<>();
    tables.forEach(table -> kinds.addAll(assertTable(index, table)));
    String plain = markdown.replace("\\", "");
    for (String answer : new Answers(index).all()) {
      assertThat(plain).contains(answer);
      assertAnswer(index, answer);
      kinds.addAll(assertMemory(index, answer, tables));
    }
    assertThat(kinds).as(name).contains("ranking", "details", "resources").containsAll(expected);
    assertPage(new String(files.get("report.html"), UTF_8), tables);
    assertTerminal(reports.console(400, false), tables);
  }

  @Test
  void ratiosOfEveryRankingAreThoseOfItsValues() {
    Arrays.asList(
            Examples.quick(), Examples.ssdNofsync(), Merge.of(Examples.twoMachines()).results())
        .forEach(results -> assertRatios(RankingIndex.of(results)));
  }

  /** Four engines of unequal noise, some of whose repetitions have no value. */
  private static ExecutionResults unbalanced(int seed) {
    Random random = new Random(seed);
    List<RunRecord> runs = new ArrayList<>();
    for (int e = 1; e <= 4; e++) {
      for (int repetition = 1; repetition <= 6; repetition++) {
        if (repetition < 4 || random.nextInt(3) > 0) {
          double noise = Math.exp(0.1 * e * random.nextGaussian());
          runs.add(
              Runs.run("e" + e)
                  .at(Map.of("fsync", "off"))
                  .repetition(repetition)
                  .throughput(20_000 * e * e * noise)
                  .build());
        }
      }
    }
    Manifest manifest = Runs.manifest("e1", "e2", "e3", "e4").phases("get").repetitions(6).build();
    return Runs.results(manifest, runs);
  }

  /** Three executions, of which only the first has reads of e1. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void ratiosOfMergedResultsAreThoseOfTheirValues(int seed) {
    List<ExecutionResults> executions = new ArrayList<>();
    for (int day = 0; day < 3; day++) {
      ExecutionResults results = unbalanced(seed + 10 * day);
      List<RunRecord> runs = new ArrayList<>();
      for (RunRecord run : results.runs()) {
        PhaseRecord get = run.phases().get(0);
        PhaseRecord set =
            Runs.phase("set").at(run.factors()).operation("update", 900.0 + runs.size()).build();
        boolean failed = day > 0 && run.engine().equals("e1");
        runs.add(run.with(failed ? List.of(set) : List.of(get, set)));
      }
      executions.add(
          new ExecutionResults(
              Path.of("results/" + day),
              Runs.from(results.manifest())
                  .phases("get", "set")
                  .planned(Instant.ofEpochSecond(day))
                  .build(),
              new Facts().put(Fact.HOST, "alpha"),
              runs,
              List.of()));
    }
    RankingIndex index = RankingIndex.of(Merge.of(executions));
    assertThat(index.phaseGroups()).hasSize(2);
    assertRatios(index);
  }

  private static void assertRatios(RankingIndex index) {
    for (Ranking ranking : index.rankings()) {
      List<Standing> standings = ranking.standings();
      for (Standing standing : standings) {
        double best = standings.get(0).estimate().value();
        if (!ranking.metric().counted() && best != 0) {
          double quotient = standing.estimate().value() / best;
          assertThat(standing.ratio().value())
              .as("%s of %s in %s", ranking.metric().id(), standing.engine(), ranking.group())
              .isCloseTo(quotient, within(1e-9 * quotient));
        }
      }
    }
  }

  /**
   * Throughputs of a phase and of its only operation, and the time of a load and its throughput,
   * had ranks of different families: 77 of 127 of the scenario {@code ssd-nofsync} differed.
   */
  private static void assertSameNumbers(RankingIndex index) {
    Set<String> same = new TreeSet<>();
    for (Ranking one : index.rankings()) {
      for (Ranking other : index.rankings()) {
        boolean ofPhase = one.group().phase().equals(other.group().phase());
        int power = one.comparisons().table().powerOf(other.comparisons().table());
        if (ofPhase && power != 0) {
          same.add(one.group().phase() + " " + one.metric() + " " + other.metric());
          for (String engine : one.comparisons().table().engines()) {
            Standing own = one.standing(engine).orElseThrow();
            Standing its = other.standing(engine).orElseThrow();
            boolean turned = one.metric().direction() != other.metric().direction();
            if (turned == power < 0) {
              assertThat(own.ranks()).as("%s of %s", engine, same).isEqualTo(its.ranks());
              assertThat(one.separation(own)).isEqualTo(other.separation(its));
              assertInterval(own.ratio(), power < 0 ? inverse(its.ratio()) : its.ratio());
            }
          }
        }
      }
    }
    assertThat(same).contains("load throughput load-time", "load load-time throughput");
  }

  private static Ratio inverse(Ratio ratio) {
    return new Ratio(1 / ratio.value(), 1 / ratio.high(), 1 / ratio.low(), ratio.confidence());
  }

  private static void assertInterval(Ratio found, Ratio expected) {
    assertThat(found.value()).isCloseTo(expected.value(), within(1e-9 * expected.value()));
    assertThat(found.hasInterval()).isEqualTo(expected.hasInterval());
    if (found.hasInterval()) {
      assertThat(found.low()).isCloseTo(expected.low(), within(1e-9 * expected.low()));
      assertThat(found.high()).isCloseTo(expected.high(), within(1e-9 * expected.high()));
    }
  }

  private static void assertJson(RankingIndex index, JsonNode json) {
    List<String> answers = new ArrayList<>();
    json.get("answer").forEach(each -> answers.add(each.asString()));
    assertThat(answers).isEqualTo(new Answers(index).all());
    assertThat(json.get("rankings")).hasSameSizeAs(index.rankings());
    for (int i = 0; i < index.rankings().size(); i++) {
      Ranking ranking = index.rankings().get(i);
      JsonNode standings = json.get("rankings").get(i).get("standings");
      assertThat(standings).hasSameSizeAs(ranking.standings());
      for (int place = 0; place < standings.size(); place++) {
        Standing standing = ranking.standings().get(place);
        JsonNode found = standings.get(place);
        assertThat(found.get("engine").asString()).isEqualTo(standing.engine());
        assertNumber(found.get("value"), standing.estimate().value());
        assertNumber(found.get("low"), standing.estimate().low());
        assertNumber(found.get("ratioToBest").get("value"), standing.ratio().value());
        assertNumber(found.get("ratioToBest").get("low"), standing.ratio().low());
        assertNumber(found.get("ratioToBest").get("high"), standing.ratio().high());
        if (!ranking.metric().counted()) {
          assertThat(found.get("rank").asInt()).isEqualTo(standing.ranks().best());
          assertThat(found.get("worstRank").asInt()).isEqualTo(standing.ranks().worst());
          String verdict = found.get("verdict").asString();
          boolean first = verdict.matches("best|equal|not separated");
          assertThat(verdict.equals("untested") || first == (standing.rank() == 1))
              .as("%s beside rank %s", verdict, standing.ranks())
              .isTrue();
        }
      }
    }
    assertThat(json.get("acrossWorkloads")).hasSameSizeAs(index.across());
    for (int i = 0; i < index.across().size(); i++) {
      List<AcrossWorkloads.Row> rows = index.across().get(i).rows();
      for (int place = 0; place < rows.size(); place++) {
        JsonNode found = json.get("acrossWorkloads").get(i).get("engines").get(place);
        assertThat(found.get("rank").asInt()).isEqualTo(rows.get(place).ranks().best());
        assertNumber(found.get("ratioToBest").get("value"), rows.get(place).ratio().value());
      }
    }
    Requirements requirements = Requirements.of(index);
    assertThat(json.get("requirements").isNull()).isEqualTo(requirements.rows().isEmpty());
    if (!requirements.rows().isEmpty()) {
      JsonNode engines = json.get("requirements").get("engines");
      assertThat(json.get("requirements").get("verdict").asString())
          .isEqualTo(new RequirementsReport(index).headline());
      for (int place = 0; place < engines.size(); place++) {
        Requirements.Row row = requirements.rows().get(place);
        assertThat(engines.get(place).get("engine").asString()).isEqualTo(row.engine());
        assertThat(engines.get(place).get("verdict").asString()).isEqualTo(row.kind().label());
      }
    }
  }

  private static void assertNumber(JsonNode found, double expected) {
    if (Double.isFinite(expected)) {
      assertThat(found.asDouble()).isEqualTo(expected);
    } else {
      assertThat(found.isNull()).isTrue();
    }
  }

  private static void assertCsv(RankingIndex index, String csv) {
    List<List<String>> lines = csv.lines().map(ConsistencyTest::fields).toList();
    List<String> columns = lines.get(0);
    Iterator<List<String>> rows = lines.subList(1, lines.size()).iterator();
    for (Ranking ranking : index.rankings()) {
      for (String engine : ranking.engines()) {
        List<String> row = rows.next();
        assertThat(row.get(columns.indexOf("engine"))).isEqualTo(engine);
        assertThat(row.get(columns.indexOf("metric"))).isEqualTo(ranking.metric().id());
        Optional<Standing> standing = ranking.standing(engine);
        assertNumber(row, columns, "value", standing.map(found -> found.estimate().value()));
        assertNumber(row, columns, "ratio_to_best", standing.map(found -> found.ratio().value()));
        if (!ranking.metric().counted()) {
          assertNumber(row, columns, "rank", standing.map(found -> (double) found.rank()));
          assertNumber(row, columns, "worst_rank", standing.map(s -> (double) s.ranks().worst()));
        }
      }
    }
    assertThat(rows.hasNext()).isFalse();
  }

  private static void assertNumber(
      List<String> row, List<String> columns, String column, Optional<Double> expected) {
    String found = row.get(columns.indexOf(column));
    if (expected.filter(Double::isFinite).isPresent()) {
      assertThat(Double.parseDouble(found)).isEqualTo(expected.get());
    } else {
      assertThat(found).isEmpty();
    }
  }

  private static List<String> fields(String line) {
    return Stream.of(line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1))
        .map(field -> field.replaceAll("^\"|\"$", ""))
        .toList();
  }

  private static List<Shown> tables(String markdown) {
    List<Shown> tables = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    String heading = "";
    String fold = "";
    String above = "";
    for (String line : markdown.split("\n", -1)) {
      if (line.startsWith("|")) {
        List<String> cells = List.of(line.split("(?<!\\\\)\\|", -1));
        rows.add(
            cells.subList(1, cells.size() - 1).stream()
                .map(cell -> cell.replace("\\", "").strip())
                .toList());
      } else if (!rows.isEmpty()) {
        List<List<String>> below = List.copyOf(rows.subList(2, rows.size()));
        tables.add(new Shown(fold.isEmpty() ? heading : fold, above, rows.get(0), below));
        rows.clear();
      }
      if (line.startsWith("#")) {
        heading = line.replaceFirst("#+ ", "");
      } else if (line.startsWith("<details>")) {
        fold = line.replaceAll("<[^>]*>", "");
      } else if (line.startsWith("</details>")) {
        fold = "";
      } else if (!line.isBlank() && !line.startsWith("|")) {
        above = line;
      }
    }
    return tables;
  }

  /** Checks the numbers of a table of the report; returns its kind, if it is a known one. */
  private static List<String> assertTable(RankingIndex index, Shown table) {
    String first = table.columns().get(0);
    Optional<Group> group =
        index.phaseGroups().stream()
            .filter(
                each ->
                    table.place().equals(each.phase())
                        || table.place().startsWith(each.label())
                        || table.place().endsWith(" of " + each.label()))
            .findFirst();
    List<String> phases = index.phaseGroups().stream().map(Group::phase).toList();
    if (table.columns().contains("vs. best")) {
      assertDetails(index, table, group.orElseThrow());
      return List.of("details");
    }
    if (first.equals("resource")) {
      assertResources(index, table, group.orElseThrow());
      return List.of("resources");
    }
    if (first.equals("Rank")) {
      assertIndex(index, table);
      return List.of("index");
    }
    if (table.columns().contains("requirements")) {
      assertRequirements(index, table);
      return List.of("requirements");
    }
    if (table.columns().contains("mean rank")) {
      assertAcross(index.across().get(0), table);
      return List.of("across");
    }
    if (first.equals("engine") && phases.containsAll(table.columns().subList(1, 2))) {
      assertOverview(index, table);
      return List.of("overview");
    }
    if (table.columns().contains("±") && group.isPresent()) {
      boolean whole = !table.place().startsWith("Each operation of ");
      Group place =
          whole
              ? group.get()
              : group.get().forOperation(table.above().replaceAll("(, no two separated)?:$", ""));
      Ranking ranking = whole ? index.decisive(place) : index.ofOperation(place);
      assertRanking(index, table, place, ranking);
      return List.of("ranking");
    }
    return List.of();
  }

  private static void assertRanking(RankingIndex index, Shown table, Group place, Ranking ranking) {
    assertThat(table.rows())
        .as(table.place())
        .map(row -> table.cell(row, "engine"))
        .isEqualTo(ranking.standings().stream().map(Standing::engine).toList());
    for (List<String> row : table.rows()) {
      Standing standing = ranking.standing(table.cell(row, "engine")).orElseThrow();
      if (table.columns().contains("rank")) {
        assertThat(table.cell(row, "rank")).isEqualTo(RankingText.rank(standing));
      }
      assertThat(table.cell(row, "±")).isEqualTo(RankingText.spread(standing.estimate()));
      for (String column : table.columns()) {
        shown(index, place, column, standing.engine())
            .ifPresent(
                text ->
                    assertThat(table.cell(row, column))
                        .as("%s of %s in %s", column, standing.engine(), table.place())
                        .isEqualTo(text));
      }
    }
  }

  /** Returns the text of an engine in the column of a metric; empty for other columns. */
  private static Optional<String> shown(
      RankingIndex index, Group place, String column, String engine) {
    List<Group> operations =
        place.operation().isPresent() ? List.of(place) : index.operations(place);
    for (Group operation : operations) {
      String prefix = place.operation().isPresent() ? "" : RankingText.prefix(index, operation);
      for (Metric metric : Metrics.latencies()) {
        if (column.equals(prefix + metric.title())) {
          return Optional.of(text(index, operation, metric, engine));
        }
      }
    }
    return column.equals(Metrics.THROUGHPUT.title())
        ? Optional.of(text(index, place, Metrics.THROUGHPUT, engine))
        : Optional.empty();
  }

  private static String text(RankingIndex index, Group group, Metric metric, String engine) {
    return index
        .standing(group, metric, engine)
        .map(standing -> RankingText.value(metric, standing))
        .orElse(Quantities.NONE);
  }

  private static void assertDetails(RankingIndex index, Shown table, Group group) {
    Ranking ranking = index.decisive(group);
    double best = ranking.standings().get(0).estimate().value();
    for (List<String> row : table.rows()) {
      Standing standing = ranking.standing(table.cell(row, "engine")).orElseThrow();
      String ratio = table.cell(row, "vs. best");
      assertThat(ratio).isEqualTo(Quantities.ratio(standing.estimate().value() / best));
      double shown =
          number(RankingText.value(ranking.metric(), standing))
              / number(RankingText.value(ranking.metric(), ranking.standings().get(0)));
      assertThat(number(ratio)).isCloseTo(shown, within(0.011 * shown + half(ratio)));
      if (table.columns().contains("ratio interval")) {
        assertThat(table.cell(row, "ratio interval"))
            .isEqualTo(RankingText.interval(standing.ratio()));
      }
      for (String column : table.columns()) {
        shown(index, group, column, standing.engine())
            .ifPresent(text -> assertThat(table.cell(row, column)).as(column).isEqualTo(text));
      }
    }
  }

  /** Returns the number in {@code text} in the base of its unit. */
  private static double number(String text) {
    Matcher quantity = QUANTITY.matcher(text);
    assertThat(quantity.matches()).as(text).isTrue();
    String unit = quantity.group(2);
    double scale =
        switch (unit.charAt(0)) {
          case 'k' -> 1e3;
          case 'M' -> unit.endsWith("s") ? 1e6 : 0x1p20;
          case 'K' -> 0x1p10;
          case 'G' -> 0x1p30;
          case 'n' -> 1e-9;
          case 'µ' -> 1e-6;
          case 'm' -> 1e-3;
          default -> 1;
        };
    return Double.parseDouble(quantity.group(1)) * scale;
  }

  /** Returns half of the last digit of a ratio. */
  private static double half(String ratio) {
    int point = ratio.indexOf('.');
    return 0.51 * Math.pow(10, point < 0 ? 0 : point + 2 - ratio.length());
  }

  private static void assertResources(RankingIndex index, Shown table, Group group) {
    for (List<String> row : table.rows()) {
      Metric metric =
          Metrics.ALL.stream()
              .filter(each -> each.title().equals(row.get(0)))
              .filter(each -> each.scope() == Scope.PHASE || each.scope() == Scope.LOAD)
              .findFirst()
              .orElseThrow();
      for (String engine : table.columns().subList(1, table.columns().size())) {
        Ranking ranking = index.ranking(group, metric).orElseThrow();
        String expected =
            ranking
                .standing(engine)
                .map(
                    found ->
                        RankingText.value(metric, found)
                            + (found.estimate().hasInterval()
                                ? " " + RankingText.spread(found.estimate())
                                : "")
                            + RankingText.inBrackets(ranking, found))
                .orElse(Quantities.NONE);
        assertThat(table.cell(row, engine).replace("not measurable", Quantities.NONE))
            .as("%s of %s in %s", metric, engine, group)
            .isEqualTo(expected);
      }
    }
  }

  private static void assertIndex(RankingIndex index, Shown table) {
    INDEX.forEach(
        (column, phase) -> {
          Ranking ranking = index.decisive(group(index, phase));
          for (List<String> row : table.rows()) {
            int rank = Integer.parseInt(row.get(0));
            List<String> expected = new ArrayList<>();
            for (Standing each : ranking.standings()) {
              if (each.rank() == rank) {
                expected.add(each.engine());
                assertThat(table.cell(row, column))
                    .as("%s at %d", column, rank)
                    .contains(each.ranks().exact() ? "" : "(" + each.ranks() + ")");
              }
            }
            String cell = table.cell(row, column).replaceAll(" \\([^)]*\\)|-", "");
            List<String> found = cell.isEmpty() ? List.of() : List.of(cell.split(", ", -1));
            assertThat(found)
                .as("%s at %d", column, rank)
                .containsExactlyInAnyOrderElementsOf(expected);
          }
        });
  }

  private static Group group(RankingIndex index, String phase) {
    return index.phaseGroups().stream()
        .filter(group -> group.phase().equals(phase))
        .findFirst()
        .orElseThrow();
  }

  private static void assertRequirements(RankingIndex index, Shown table) {
    Group get = group(index, "get");
    for (List<String> row : table.rows()) {
      String engine = table.cell(row, "engine");
      Map.of(
              "get throughput > 25k", Metrics.THROUGHPUT,
              "get memory < 170MiB", Metrics.MEMORY,
              "get footprint", Metrics.FOOTPRINT)
          .forEach(
              (column, metric) -> {
                String cell = table.cell(row, column);
                if (index.standing(get, metric, engine).isPresent()) {
                  Standing standing = index.standing(get, metric, engine).orElseThrow();
                  assertThat(cell)
                      .as(engine)
                      .endsWith(
                          RankingText.value(metric, standing)
                              + " "
                              + RankingText.spread(standing.estimate()));
                } else {
                  assertThat(cell).as(engine).doesNotContainPattern("[0-9]");
                }
              });
    }
  }

  private static void assertAcross(AcrossWorkloads across, Shown table) {
    for (List<String> row : table.rows()) {
      AcrossWorkloads.Row found =
          across.rows().stream()
              .filter(each -> each.engine().equals(table.cell(row, "engine")))
              .findFirst()
              .orElseThrow();
      assertThat(table.cell(row, "ratio")).isEqualTo(Quantities.ratio(found.ratio().value()));
      if (table.columns().contains("rank")) {
        assertThat(table.cell(row, "rank")).isEqualTo(found.ranks().toString());
      }
    }
  }

  private static void assertOverview(RankingIndex index, Shown table) {
    for (List<String> row : table.rows()) {
      for (String phase : table.columns().subList(1, table.columns().size())) {
        Ranking ranking = index.decisive(group(index, phase));
        String expected =
            ranking
                .standing(row.get(0))
                .map(
                    found ->
                        Quantities.ratio(found.ratio().value())
                            + RankingText.inBrackets(ranking, found))
                .orElse(Quantities.NONE);
        assertThat(table.cell(row, phase)).as("%s of %s", phase, row).isEqualTo(expected);
      }
    }
  }

  /** Checks the figures of a verdict against the rankings that decide. */
  private static void assertAnswer(RankingIndex index, String answer) {
    List<Ranking> deciding =
        new Answers(index)
            .groups().stream()
                .map(index::decisive)
                .filter(ranking -> ranking.standings().size() > 1)
                .toList();
    for (Pattern pattern : List.of(FASTEST, BEST)) {
      Matcher one = pattern.matcher(answer);
      if (one.matches()) {
        Ranking ranking =
            deciding.stream()
                .filter(
                    each ->
                        deciding.size() == 1
                            || each.group().phaseGroup().label().equals(one.group("place")))
                .findFirst()
                .orElseThrow();
        Standing first = ranking.standings().get(0);
        String second = ranking.standings().get(1).engine();
        Ratio ratio =
            ranking.metric().equals(Metrics.THROUGHPUT)
                ? ranking.verdict(first.engine(), second).ratio()
                : ranking.verdict(second, first.engine()).ratio();
        assertThat(List.of(one.group("first"), one.group("second")))
            .containsExactly(first.engine(), second);
        assertThat(one.group("value")).isEqualTo(RankingText.value(ranking.metric(), first));
        assertThat(one.group("ratio")).isEqualTo(Quantities.ratio(ratio.value()));
        assertThat(Optional.ofNullable(one.group("reach")).orElse(one.group("ratio")))
            .isEqualTo(RankingText.interval(ratio));
        return;
      }
    }
    for (String part : answer.split("; ", -1)) {
      Matcher several = SEVERAL.matcher(part);
      if (several.matches()) {
        Set<String> phases =
            several.group(2) == null
                ? deciding.stream().map(each -> each.group().phase()).collect(toSet())
                : Set.of(several.group(2).substring(" in ".length()).split(", | and ", -1));
        double[] leads =
            deciding.stream()
                .filter(each -> phases.contains(each.group().phase()))
                .mapToDouble(
                    each ->
                        each.standings().get(0).estimate().value()
                            / each.standings().get(1).estimate().value())
                .sorted()
                .toArray();
        assertThat(leads).as(part).hasSize(phases.size());
        assertThat(several.group(3))
            .as(part)
            .isEqualTo(Quantities.ratios(leads[0], leads[leads.length - 1]));
      }
    }
  }

  /**
   * The first table has the values and ranks of a sentence about memory. It had the memory of the
   * process beside sentences about memory for data, and another phase's.
   */
  private static List<String> assertMemory(RankingIndex index, String answer, List<Shown> tables) {
    Matcher memory = MEMORY.matcher(answer);
    // The verdict on a requirement of memory has it, instead of the table.
    if (!memory.matches() || index.results().manifest().requires(Metrics.MEMORY)) {
      return List.of();
    }
    String metric = memory.group("data") == null ? "process memory" : "memory for data";
    Shown table =
        tables.stream()
            .filter(each -> each.columns().stream().anyMatch(name -> name.startsWith(metric)))
            .findFirst()
            .orElseThrow();
    String column =
        table.columns().stream().filter(name -> name.startsWith(metric)).findFirst().orElseThrow();
    boolean same = table.place().startsWith(memory.group("phase") + " ");
    assertThat(column.replace(" (rank)", ""))
        .isEqualTo(metric + (same ? "" : " after " + memory.group("phase")));
    for (String part : memory.group("engines").split("; ", -1)) {
      Matcher ranked = RANKED.matcher(part);
      assertThat(ranked.matches()).as(part).isTrue();
      String ranks = Optional.ofNullable(ranked.group(2)).orElse("1");
      for (String value : ranked.group(1).split(", ", -1)) {
        String[] words = value.split(" ", 2);
        List<String> row =
            table.rows().stream()
                .filter(each -> table.cell(each, "engine").equals(words[0]))
                .findFirst()
                .orElseThrow();
        assertThat(table.cell(row, column))
            .as(answer)
            .isEqualTo(words[1] + (ranks.equals("not separated") ? "" : " (" + ranks + ")"));
      }
    }
    return List.of("memory");
  }

  /** The page has the tables of the Markdown file. */
  private static void assertPage(String html, List<Shown> tables) {
    Set<List<List<String>>> expected =
        tables.stream()
            .map(
                table ->
                    Stream.concat(Stream.of(table.columns()), table.rows().stream())
                        .map(row -> row.stream().map(ConsistencyTest::letters).toList())
                        .toList())
            .collect(toSet());
    Matcher table = Pattern.compile("<table.*?</table>", Pattern.DOTALL).matcher(html);
    int found = 0;
    while (table.find()) {
      List<List<String>> rows = new ArrayList<>();
      for (String row : table.group().split("<tr", -1)) {
        Matcher cell = Pattern.compile("<t[hd][ >].*?</t[hd]>", Pattern.DOTALL).matcher(row);
        rows.add(
            cell.results().map(each -> letters(each.group().replaceAll("<[^>]*>", ""))).toList());
      }
      assertThat(expected).contains(rows.subList(1, rows.size()));
      found++;
    }
    assertThat(found).isEqualTo(tables.size());
  }

  private static String letters(String text) {
    return text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
        .replaceAll("[, ]", "");
  }

  /** Each row of an engine in the terminal is part of a row of the Markdown file. */
  private static void assertTerminal(String console, List<Shown> tables) {
    List<List<String>> rows = tables.stream().flatMap(table -> table.rows().stream()).toList();
    int found = 0;
    for (String line : console.split("\n", -1)) {
      List<String> cells =
          Stream.of(line.strip().split(" {2,}", -1))
              .filter(cell -> !cell.matches("[█▒]*"))
              .toList();
      boolean ofEngine = cells.stream().limit(2).anyMatch(ENGINES::contains);
      if (ofEngine && cells.stream().anyMatch(cell -> QUANTITY.matcher(cell).matches())) {
        assertThat(rows).as(line).anyMatch(row -> row.containsAll(cells));
        found++;
      }
    }
    assertThat(found).isPositive();
  }
}
