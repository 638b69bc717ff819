package kvrank.stats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import kvrank.run.measure.SearchSimulation;
import kvrank.run.measure.SearchSimulation.Engine;
import kvrank.stats.change.ComparisonTest;
import kvrank.stats.change.ComparisonTest.Drift;
import kvrank.stats.change.Shift;
import kvrank.stats.infer.AdaptiveTables;
import kvrank.stats.infer.ChangePointSimulation;
import kvrank.stats.infer.DetectableRatio;
import kvrank.stats.infer.IntervalSimulationTest;
import kvrank.stats.infer.Noise;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.PlantedRanks;
import kvrank.stats.infer.Populations;
import kvrank.stats.infer.Simulations;
import kvrank.stats.infer.TriedAnalyses;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Writes the tables of {@code docs/explanation/validation.md}, or those that its arguments name.
 * The first argument is the page. Each row has a seed of its own, so a row can be drawn again.
 */
final class ValidationPage {

  /** How many tables are drawn for each figure. */
  private static final int TABLES = 1000;

  private static final List<Integer> BLOCKS = List.of(3, 5, 10, 20);

  private final Map<String, Table> tables = new LinkedHashMap<>();

  /**
   * A table of the page.
   *
   * @param head its first two lines
   * @param rows what computes the cells of a row from its seed, by the row's label
   */
  record Table(String head, Map<String, Function<Long, String>> rows) {

    /** Returns a line of the page. */
    String row(String label) {
      return "| %s |%s".formatted(label, rows.get(label).apply((long) label.hashCode()));
    }
  }

  ValidationPage() {
    intervals();
    executions();
    equalEngines();
    equalPairs();
    reports();
    twoSpeeds();
    calledEqual();
    found();
    planted();
    tried();
    stopped();
    detectable();
    looks();
    settled();
    firstLook();
    repeated();
    comparisons();
    histories();
    searches();
  }

  /** Draws tables again and writes each into the page once it is done. */
  public static void main(String[] args) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Path page = Path.of(args[0]);
    ValidationPage validation = new ValidationPage();
    List<String> names =
        args.length > 1
            ? Arrays.asList(args).subList(1, args.length)
            : List.copyOf(validation.tables.keySet());
    for (String name : names) {
      String text = validation.table(name);
      String before = Files.readString(page, StandardCharsets.UTF_8);
      Files.writeString(page, replaced(before, name, text), StandardCharsets.UTF_8);
    }
  }

  Map<String, Table> tables() {
    return tables;
  }

  private String table(String name) {
    Table table = tables.get(name);
    StringBuilder text = new StringBuilder(table.head());
    table.rows().keySet().forEach(label -> text.append('\n').append(table.row(label)));
    return text.toString();
  }

  /** Returns the page with other lines between the comment that names the table and a blank one. */
  private static String replaced(String page, String name, String table) {
    int comment = page.indexOf(marker(name));
    if (comment < 0) {
      throw new IllegalArgumentException("the page has no line " + marker(name));
    }
    int begin = comment + marker(name).length();
    int end = page.indexOf("\n\n", begin);
    return page.substring(0, begin) + "\n" + table + page.substring(end < 0 ? page.length() : end);
  }

  static String marker(String name) {
    return "<!-- %s: written by ValidationPage -->".formatted(name);
  }

  private void searches() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (double utilization : List.of(0.6, 0.8, 0.9)) {
      searches(rows, "at %.0f %% of capacity", utilization, false);
    }
    searches(rows, "wall at %.0f %%", 0.83, true);
    add("searches", "| | off at 5 % | at 40 % | 5 and 40 %, n=3, 5, 10 | 5 %, n=3, 5, 10 |", rows);
  }

  private static void searches(
      Map<String, Function<Long, String>> rows, String label, double utilization, boolean wall) {
    Engine steady = new Engine(utilization, wall, 0.05, 1);
    Engine noisy = new Engine(utilization, wall, 0.4, 1);
    rows.put(
        label.formatted(100 * utilization),
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          List<Integer> repetitions = List.of(3, 5, 10);
          String off =
              " %+.1f | %+.1f |"
                  .formatted(
                      100 * SearchSimulation.bias(steady, 2 * TABLES, random),
                      100 * SearchSimulation.bias(noisy, 2 * TABLES, random));
          return "%s %s | %s |"
              .formatted(
                  off,
                  shares(
                      repetitions,
                      n -> SearchSimulation.separated(steady, noisy, n, TABLES, random)),
                  shares(
                      repetitions,
                      n -> SearchSimulation.separated(steady, steady.faster(), n, TABLES, random)));
        });
  }

  private void intervals() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    Populations.all()
        .forEach(
            (name, population) ->
                rows.put(
                    name,
                    seed -> {
                      Random random = new Random(seed);
                      return cells(
                          BLOCKS,
                          n -> IntervalSimulationTest.coverage(population, n, 20_000, random));
                    }));
    for (String name : List.of("lognormal, cv 10 %", "slowed")) {
      Populations.Population population = Populations.all().get(name);
      rows.put(
          name + ": bootstrap",
          seed -> {
            Random random = new Random(seed);
            return cells(BLOCKS, n -> bootstrapCoverage(population, n, random));
          });
    }
    add("intervals", "| | n=3 | n=5 | n=10 | n=20 |", rows);
  }

  /** How often the percentile bootstrap covers the mean; it is not what kvrank uses. */
  private static double bootstrapCoverage(Populations.Population population, int n, Random random) {
    int covered = 0;
    int samples = 2000;
    double[] means = new double[999];
    for (int i = 0; i < samples; i++) {
      List<Double> sample = population.sample(n, random);
      for (int b = 0; b < means.length; b++) {
        means[b] =
            Math.exp(
                random
                    .ints(n, 0, n)
                    .mapToDouble(drawn -> Math.log(sample.get(drawn)))
                    .average()
                    .orElseThrow());
      }
      covered +=
          StatUtils.percentile(means, 2.5) <= population.typical()
                  && population.typical() <= StatUtils.percentile(means, 97.5)
              ? 1
              : 0;
    }
    return (double) covered / samples;
  }

  private void executions() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    rows.put(
        "%",
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          return cells(List.of(3, 5, 10), n -> IntervalSimulationTest.coverage(n, 20_000, random));
        });
    add("executions", "| | 3 executions | 5 | 10 |", rows);
  }

  private void equalEngines() {
    noises(
        "equal-engines",
        List.of(2, 5, 12),
        (noise, engines, random) ->
            shares(BLOCKS, n -> Simulations.separated(noise, engines, n, tables(engines), random)));
  }

  /** Some engines are far apart, and pairs of them are equal. */
  private void equalPairs() {
    noises(
        "equal-pairs",
        List.of(3, 8),
        (noise, engines, random) ->
            shares(
                BLOCKS,
                n -> Simulations.separatedPairs(noise, engines, n, tables(engines), random)));
  }

  /** Seven phases; with five engines, also if only two are equal. */
  private void reports() {
    List<Integer> blocks = List.of(3, 5, 10);
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    Noise.ofReports()
        .forEach(
            (label, noise) ->
                rows.put(
                    label,
                    seed -> {
                      SplittableRandom random = new SplittableRandom(seed);
                      StringBuilder cells = new StringBuilder();
                      for (int engines : List.of(2, 5, 12)) {
                        cells.append(reports(noise, engines, blocks, false, random));
                      }
                      return cells + reports(noise, 5, blocks, true, random);
                    }));
    add("reports", "| | 2 engines | 5 engines | 12 engines | 2 equal ones of 5 |", rows);
  }

  private static String reports(
      Noise noise, int engines, List<Integer> blocks, boolean apart, SplittableRandom random) {
    return " %s |"
        .formatted(
            shares(
                blocks,
                n ->
                    Simulations.separatedInReports(
                        noise, engines, n, 7, apart, TABLES / 2, random)));
  }

  private void planted() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (int n : List.of(3, 4, 5, 8)) {
      rows.put("n=%d".formatted(n), seed -> planted(PlantedRanks.example(), n, seed));
    }
    for (int n : List.of(3, 4, 5)) {
      rows.put("the board, n=%d".formatted(n), seed -> planted(PlantedRanks.recorded(), n, seed));
    }
    add(
        "planted",
        "| | 3x or more | of those, runs vary by less than 40 % | 2x to 3x | width of ranks"
            + " | interval to Welch's |",
        rows);
  }

  private static String planted(PlantedRanks.Source source, int blocks, long seed) {
    PlantedRanks.Found found =
        PlantedRanks.found(source, blocks, TABLES / 2, new SplittableRandom(seed));
    return cell(found.far())
        + cell(found.calm())
        + cell(found.near())
        + " %.1f | %.2f |".formatted(found.width(), found.interval());
  }

  private void tried() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    TriedAnalyses.all()
        .forEach((label, analysis) -> rows.put(label, seed -> tried(analysis, seed)));
    add(
        "tried",
        "| | 3x, n=3 | 3x, n=5 | 10 % in a drift | each its own noise | two speeds, 50 %"
            + " | pairs far apart |",
        rows);
  }

  private static String tried(TriedAnalyses.Analysis analysis, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] equal = new double[12];
    double[] slower = {0, -0.1, -0.1, -0.1, -0.1};
    return cells(
            List.of(3, 5),
            n ->
                TriedAnalyses.found(
                    analysis,
                    PlantedRanks.noise(),
                    PlantedRanks.effects(),
                    Math.log(3),
                    n,
                    TABLES / 4,
                    random))
        + cell(
            TriedAnalyses.found(
                analysis, Noise.normal(0.01).drifting(0.3), slower, 0.1, 5, TABLES / 4, random))
        + cell(
            TriedAnalyses.separated(analysis, Noise.eachItsOwn(0.03), equal, 3, TABLES / 2, random))
        + cell(TriedAnalyses.separated(analysis, Noise.bimodal(0.5), equal, 3, TABLES / 2, random))
        + cell(
            TriedAnalyses.separated(
                analysis,
                Noise.normal(0.01).unequal(1, 10),
                Noise.pairs(8),
                3,
                TABLES / 2,
                random));
  }

  private void stopped() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (double truth : List.of(1.0, 1.05, 1.1, 1.2)) {
      rows.put(
          "%.2fx".formatted(truth),
          seed -> Simulations.stopped(truth, TABLES, new SplittableRandom(seed)));
    }
    add(
        "stopped",
        "| truth | separated, % | shown if separated | interval holds, % | if separated, % |",
        rows);
  }

  private void twoSpeeds() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (int engines : List.of(2, 3, 5, 10)) {
      rows.put(
          engines + " engines",
          seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            Noise noise = Noise.firstOfTwoSpeeds();
            return cells(
                BLOCKS, n -> Simulations.separated(noise, engines, n, tables(engines), random));
          });
    }
    add("two-speeds", "| | n=3 | n=5 | n=10 | n=20 |", rows);
  }

  /** The largest share of all noises. */
  private void calledEqual() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (int engines : List.of(2, 5)) {
      rows.put(
          engines + " engines",
          seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            return cells(
                BLOCKS,
                n ->
                    Noise.all().values().stream()
                        .mapToDouble(
                            noise -> Simulations.falselyEqual(noise, engines, n, TABLES, random))
                        .max()
                        .orElseThrow());
          });
    }
    add("called-equal", "| | n=3 | n=5 | n=10 | n=20 |", rows);
  }

  private void found() {
    Map<String, Noise> noises = new LinkedHashMap<>();
    noises.put("3 %", Noise.normal(0.03));
    noises.put("10 %", Noise.normal(0.1));
    noises.put("1 %, drift 10 %", Noise.normal(0.01).drifting(0.1));
    noises.put("1 %, drift 30 %", Noise.normal(0.01).drifting(0.3));
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    noises.forEach(
        (name, noise) -> {
          for (int engines : List.of(2, 3, 5)) {
            rows.put(
                "%s, %d engines".formatted(name, engines),
                seed -> {
                  SplittableRandom random = new SplittableRandom(seed);
                  StringBuilder cells = new StringBuilder();
                  for (int n : List.of(3, 5, 10)) {
                    Simulations.Power power =
                        Simulations.power(noise, engines, n, 0.1, TABLES, random);
                    cells.append(
                        " %.0f (%.0f) |".formatted(100 * power.found(), 100 * power.welch()));
                  }
                  return cells.toString();
                });
          }
        });
    add("found", "| 10 % slower, found in % of tables | n=3 | n=5 | n=10 |", rows);
  }

  private void detectable() {
    List<Integer> blocks = List.of(3, 4, 5, 6, 7, 10, 20);
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (int engines : List.of(2, 3, 5, 8, 12, 16)) {
      rows.put(
          engines + " engines",
          seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            StringBuilder cells = new StringBuilder();
            for (int n : blocks) {
              cells.append(
                  " %.2f (%.2f) |"
                      .formatted(
                          Simulations.detectable(engines, n, 5 * TABLES, random),
                          Math.log(DetectableRatio.of(engines, n, 1))));
            }
            return cells.toString();
          });
    }
    add("detectable", "| | n=3 | n=4 | n=5 | n=6 | n=7 | n=10 | n=20 |", rows);
  }

  private void looks() {
    noises(
        "looks",
        List.of(2, 5, 12),
        (noise, engines, random) ->
            shares(
                List.of(20, 8),
                budget ->
                    Simulations.followed(
                        noise, engines, budget * engines, tables(engines), random)));
  }

  private void settled() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    settled(rows, "1.1x", PairVerdict.EQUAL, 20);
    settled(rows, "1.1x, budget", PairVerdict.EQUAL, 8);
    add("settled", "| | runs | plan | fixed number | more by |", rows);
  }

  private static void settled(
      Map<String, Function<Long, String>> rows, String until, double ratio, int budget) {
    AdaptiveTables.noises()
        .forEach(
            (name, noise) -> {
              rows.put(
                  "%s, %s, 2 engines".formatted(name, until),
                  seed ->
                      AdaptiveTables.settledOfTwo(
                          noise, ratio, budget, TABLES, new SplittableRandom(seed)));
              rows.put(
                  "%s, %s, 6 engines".formatted(name, until),
                  seed ->
                      AdaptiveTables.settledOfSix(
                          noise, ratio, budget, TABLES / 2, new SplittableRandom(seed)));
            });
  }

  private void firstLook() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (int engines : List.of(2, 3, 5)) {
      for (int most : List.of(10)) {
        rows.put(
            "%d engines, at most %d".formatted(engines, most),
            seed -> {
              StringBuilder cells = new StringBuilder();
              for (int n : List.of(3, 4, 5, most)) {
                double used = Math.log(DetectableRatio.looked(engines, n, most, 1));
                cells.append(
                    Double.isNaN(used)
                        ? " – |"
                        : " %.2f (%.2f) |"
                            .formatted(AdaptiveTables.detectable(engines, n, most, TABLES), used));
              }
              return cells.toString();
            });
      }
    }
    add("first-look", "| | n=3 | n=4 | n=5 | the last look |", rows);
  }

  private void repeated() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (double busy : List.of(0.3, 0.6, 0.9)) {
      String share = "%.0f %%, ".formatted(100 * busy);
      rows.put(share + "counted", besideOthers(busy, 1, 0));
      for (double seen : List.of(1.0, 0.3)) {
        String part = ", %.0f %% seen".formatted(100 * seen);
        rows.put(share + "left out" + part, besideOthers(busy, 1, seen));
        rows.put(share + "repeated" + part, besideOthers(busy, 3, seen));
      }
    }
    add(
        "repeated",
        "| disturbed runs | n=3 | n=5 | n=10 | until separated | 20 % found, n=5 |",
        rows);
  }

  private Function<Long, String> besideOthers(double busy, int attempts, double seen) {
    return seed -> {
      Noise beside = AdaptiveTables.besideOthers(busy, attempts, seen);
      UnaryOperator<double[][]> counted = AdaptiveTables::counted;
      // Whether a run counts may change with the runs that follow.
      Noise noise = (engines, blocks, r) -> counted.apply(beside.draw(engines, blocks, r));
      SplittableRandom random = new SplittableRandom(seed);
      return cells(List.of(3, 5, 10), n -> Simulations.separated(noise, 3, n, TABLES, random))
          + cell(Simulations.followed(beside, counted, 3, Integer.MAX_VALUE, TABLES / 4, random))
          + cell(Simulations.power(noise, 3, 5, 0.2, TABLES, random).found());
    };
  }

  private static double worse(Drift drift, long seed) {
    Shift shift = Shift.stated(Shift.USUAL);
    return ComparisonTest.worse(1, drift, shift, TABLES, new Random(seed));
  }

  private void comparisons() {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    for (int n : List.of(3, 5)) {
      rows.put(
          "one execution, nothing changed, n=%d: any change".formatted(n),
          seed -> cell(ComparisonTest.interleavedAlarms(n, TABLES, new Random(seed))));
      rows.put(
          "one execution, one phase 20 %% slower, n=%d: found".formatted(n),
          seed -> cell(ComparisonTest.interleavedFound(n, TABLES, new Random(seed))));
    }
    rows.put(
        "nothing changed, 1 baseline, shifted by 5 %, n=5: any worse",
        seed -> cell(worse(new Drift(0.05, 0), seed)));
    rows.put(
        "nothing changed, 1 baseline, each phase by 3 %, n=5: any worse",
        seed -> cell(worse(new Drift(0, 0.03), seed)));
    for (int baselines : List.of(3, 5)) {
      rows.put(
          "nothing changed, %d baselines, shifted: any change".formatted(baselines),
          seed -> cell(ComparisonTest.shiftedAlarms(baselines, TABLES, new Random(seed))));
    }
    for (int changed : List.of(2, 3)) {
      for (double speed : List.of(0.85, 1.25)) {
        rows.put(
            "%d of 4 phases %.2f times as fast, 3 baselines: the opposite elsewhere"
                .formatted(changed, speed),
            seed -> cell(ComparisonTest.movedAlarms(changed, speed, TABLES / 5, new Random(seed))));
      }
    }
    rows.put(
        "one phase 20 % slower, 3 baselines, shifted: found",
        seed -> cell(ComparisonTest.shiftedFound(TABLES, new Random(seed))));
    add("comparisons", "| | % |", rows);
  }

  private void histories() {
    Map<String, ChangePointSimulation.Noise> noises = new LinkedHashMap<>();
    for (int spread : List.of(0, 2, 3)) {
      noises.put(
          "3 %%, executions by %d %%".formatted(spread),
          ChangePointSimulation.Noise.of(0.03, spread / 100.0));
    }
    noises.put(
        "3 %, every tenth a fifth slower", new ChangePointSimulation.Noise(0.03, 0, 0, 0.1, 0));
    noises.put(
        "3 %, all lines by 2 %, half of it from the execution before",
        new ChangePointSimulation.Noise(0.03, 0, 0.02, 0, 0.5));
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    noises.forEach((label, noise) -> rows.put(label, seed -> history(noise, seed)));
    for (int spread : List.of(0, 2)) {
      rows.put(
          "E-divisive: 3 %%, executions by %d %%".formatted(spread),
          seed ->
              history(
                  ChangePointSimulation.energyDivisive(new SplittableRandom(seed)),
                  ChangePointSimulation.Noise.of(0.03, spread / 100.0),
                  seed));
    }
    add(
        "histories",
        "| noise | alarms, 1 line | 4 lines | found | after 3 | undone after 10 |",
        rows);
  }

  private static String history(ChangePointSimulation.Noise noise, long seed) {
    return history(ChangePointSimulation.KVRANK, noise, seed);
  }

  private static String history(
      ChangePointSimulation.Method method, ChangePointSimulation.Noise noise, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int half = TABLES / 2;
    return cell(ChangePointSimulation.falseAlarms(method, noise, 1, 100, TABLES, random))
        + cell(ChangePointSimulation.falseAlarms(method, noise, 4, 100, half, random))
        + cell(ChangePointSimulation.near(method, noise, 0.95, 4, 100, half, random))
        + cell(ChangePointSimulation.foundAfter(method, noise, 0.95, 3, 100, half, random))
        + cell(ChangePointSimulation.foundUndone(method, noise, 0.95, 10, 100, half, random));
  }

  /** Computes a cell of a table that has a row for each noise and columns by engines. */
  @FunctionalInterface
  private interface Cell {
    String of(Noise noise, int engines, SplittableRandom random);
  }

  private void noises(String name, List<Integer> columns, Cell cell) {
    Map<String, Function<Long, String>> rows = new LinkedHashMap<>();
    Map<String, Noise> noises = Noise.all();
    noises.keySet().removeAll(List.of("two speeds, 10 %", "one 3 times as noisy"));
    noises.forEach(
        (label, noise) ->
            rows.put(
                label,
                seed -> {
                  SplittableRandom random = new SplittableRandom(seed);
                  StringBuilder cells = new StringBuilder();
                  columns.forEach(
                      engines -> cells.append(" %s |".formatted(cell.of(noise, engines, random))));
                  return cells.toString();
                }));
    StringBuilder head = new StringBuilder("| |");
    columns.forEach(engines -> head.append(" %d engines |".formatted(engines)));
    add(name, head.toString(), rows);
  }

  /** Large tables take long. */
  private static int tables(int engines) {
    return engines > 5 ? TABLES / 4 : TABLES;
  }

  private void add(String name, String head, Map<String, Function<Long, String>> rows) {
    int columns = head.split("\\|", -1).length - 3;
    tables.put(name, new Table(head + "\n|---|" + "---:|".repeat(columns), rows));
  }

  private static String cells(List<Integer> columns, Function<Integer, Double> share) {
    StringBuilder cells = new StringBuilder();
    columns.forEach(column -> cells.append(cell(share.apply(column))));
    return cells.toString();
  }

  private static String cell(double share) {
    return " %.1f |".formatted(100 * share);
  }

  /** Several shares in one cell. */
  private static String shares(List<Integer> columns, Function<Integer, Double> share) {
    List<String> shares = new ArrayList<>();
    columns.forEach(column -> shares.add("%.1f".formatted(100 * share.apply(column))));
    return String.join(", ", shares);
  }
}
