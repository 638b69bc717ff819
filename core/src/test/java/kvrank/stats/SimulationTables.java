package kvrank.stats;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Prints the tables of {@code docs/method.md}: how often equal engines are separated, how often
 * engines that differ are called equal, and what is found. The argument is how many tables of
 * engines are drawn for each figure.
 */
final class SimulationTables {

  // Beginnings of formats; the cells are appended.
  private static final String ROW = "| %s, %d engines |";
  private static final String NOISE_ROW = "| noise %s, %d engines | %d |";

  private static final List<Integer> BLOCKS = List.of(3, 5, 10, 20);

  private SimulationTables() {}

  public static void main(String[] args) {
    int tables = Integer.parseInt(args[0]);
    SplittableRandom random = new SplittableRandom(20261121);
    System.out.println("| equal engines are separated in | n=3 | n=5 | n=10 | n=20 |");
    System.out.println("|---|---:|---:|---:|---:|");
    for (Map.Entry<String, Noise> noise : Noise.all().entrySet()) {
      for (int engines : List.of(2, 3, 5, 12)) {
        StringBuilder row = new StringBuilder(ROW);
        for (int n : BLOCKS) {
          int some = engines == 12 ? tables / 4 : tables;
          row.append(share(Simulations.separated(noise.getValue(), engines, n, some, random)));
        }
        System.out.printf(Locale.ROOT, row + "%n", noise.getKey(), engines);
      }
    }
    System.out.println();
    System.out.println("| called equal, though a factor of 1.1 apart | n=3 | n=5 | n=10 | n=20 |");
    System.out.println("|---|---:|---:|---:|---:|");
    for (Map.Entry<String, Noise> noise : Noise.all().entrySet()) {
      for (int engines : List.of(2, 5)) {
        StringBuilder row = new StringBuilder(ROW);
        for (int n : BLOCKS) {
          row.append(share(Simulations.falselyEqual(noise.getValue(), engines, n, tables, random)));
        }
        System.out.printf(Locale.ROOT, row + "%n", noise.getKey(), engines);
      }
    }
    System.out.println();
    Map<String, Noise> noises =
        Map.of(
            "3 %", Noise.normal(0.03),
            "10 %", Noise.normal(0.1),
            "1 %, drift 10 %", Noise.normal(0.01).drifting(0.1),
            "1 %, drift 30 %", Noise.normal(0.01).drifting(0.3));
    System.out.println("| found (by Welch's test) | n | 5 % slower | 10 % | 20 % |");
    System.out.println("|---|---:|---:|---:|---:|");
    for (String name : List.of("3 %", "10 %", "1 %, drift 10 %", "1 %, drift 30 %")) {
      for (int engines : List.of(2, 3, 5)) {
        for (int n : List.of(3, 5, 10)) {
          StringBuilder row = new StringBuilder(NOISE_ROW);
          for (double slower : List.of(0.05, 0.1, 0.2)) {
            Simulations.Power power =
                Simulations.power(noises.get(name), engines, n, slower, tables, random);
            row.append(" %.0f %%%% (%.0f) |".formatted(100 * power.found(), 100 * power.welch()));
          }
          System.out.printf(Locale.ROOT, row + "%n", name, engines, n);
        }
      }
    }
    detectable(5 * tables, random);
  }

  private static void detectable(int tables, SplittableRandom random) {
    System.out.println();
    System.out.println("| engines | n=3 | n=4 | n=5 | n=6 | n=7 | n=10 | n=20 |");
    System.out.println("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (int engines : List.of(2, 3, 4, 5, 6, 8, 10, 12, 16)) {
      StringBuilder row = new StringBuilder("| " + engines + " |");
      for (int n : List.of(3, 4, 5, 6, 7, 10, 20)) {
        double found = Simulations.detectable(engines, n, tables, random);
        row.append(String.format(Locale.ROOT, " %.2f |", found));
      }
      System.out.println(row);
    }
  }

  private static String share(double share) {
    return " %.1f %%%% |".formatted(100 * share);
  }
}
