package kvrank.benchmarks.table;

import java.util.Arrays;
import java.util.Locale;

/** Numbers as the table shows them. */
public final class Figures {

  private Figures() {}

  /** Three significant digits, thousands grouped. */
  public static String of(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  /** The median; NaN of nothing. */
  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
