package kvrank.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** An axis of a chart, linear or logarithmic. */
public record Axis(String title, double low, double high, boolean log, List<Tick> ticks) {

  public record Tick(double at, String label) {}

  /** The steps of labels: tens, or powers of 1024 for bytes. */
  public enum Counting {
    DECIMAL,
    BINARY
  }

  /** Returns an axis from 0 to slightly above {@code high}, labelled at round numbers. */
  public static Axis linear(
      String title, double high, Counting counting, DoubleFunction<String> label) {
    return linear(title, 0, high, counting, label);
  }

  /** Returns an axis from {@code low} to slightly above {@code high}. */
  public static Axis linear(
      String title, double low, double high, Counting counting, DoubleFunction<String> label) {
    double top = high > 0 && Double.isFinite(high) ? high : 1;
    boolean tens = counting == Counting.DECIMAL;
    double unit = tens ? 1 : Math.pow(1024, Math.floor(Math.log(top / 4) / Math.log(1024)));
    double rough = (top - low) / unit / 4;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step =
        DoubleStream.of(1, 2, 2.5, 5, 10)
            .map(multiple -> unit * multiple * power)
            .filter(multiple -> multiple >= unit * rough * 0.999)
            .findFirst()
            .orElse(unit * 10 * power);
    List<Tick> ticks = new ArrayList<>();
    for (int i = (int) Math.ceil(low / step); i * step <= top * 1.001; i++) {
      ticks.add(new Tick(i * step, label.apply(i * step)));
    }
    return new Axis(title, low, top + 0.02 * (top - low), false, ticks);
  }

  /**
   * Returns an axis from below {@code low} to above {@code high}, labelled at or between powers.
   */
  public static Axis log(
      String title, double low, double high, Counting counting, DoubleFunction<String> label) {
    double from = low > 0 && Double.isFinite(low) ? low : 1;
    double to = Math.max(from, high);
    double margin = Math.max(Math.pow(to / from, 0.04), 1.1);
    double bottom = from / margin;
    double top = to * margin;
    int base = counting == Counting.DECIMAL ? 10 : 2;
    double powers = Math.log(top / bottom) / Math.log(base);
    double[] digits = {1};
    if (base == 10 && powers < 3.2) {
      digits = powers < 2.2 ? new double[] {1, 2, 5} : new double[] {1, 3};
      digits = powers < 0.8 ? new double[] {1, 1.5, 2, 3, 5, 7} : digits;
    }
    int every = Math.max(1, (int) Math.ceil(powers / 6));
    int first = (int) Math.floor(Math.log(bottom) / Math.log(base));
    List<Tick> ticks = new ArrayList<>();
    for (int power = first; Math.pow(base, power) <= top; power++) {
      for (double digit : digits) {
        double at = digit * Math.pow(base, power);
        if (Math.floorMod(power, every) == 0 && at >= bottom && at <= top) {
          ticks.add(new Tick(at, label.apply(at)));
        }
      }
    }
    return new Axis(title, bottom, top, true, ticks);
  }

  /** Returns an axis with the names at 0, 1, 2 … */
  public static Axis names(String title, List<String> names) {
    List<Tick> ticks = new ArrayList<>();
    names.forEach(name -> ticks.add(new Tick(ticks.size(), name)));
    double margin = names.size() == 1 ? 0.5 : 0.15;
    return new Axis(title, -margin, names.size() - 1 + margin, false, ticks);
  }

  boolean holds(double value) {
    return value >= low && value <= high;
  }

  /** Returns the position of {@code value} from 0, the start, to 1, the end; never outside. */
  public double position(double value) {
    double share =
        log
            ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
            : (value - low) / (high - low);
    return Math.max(0, Math.min(1, share));
  }
}
