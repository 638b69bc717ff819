package kvrank.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * One direction of a chart.
 *
 * @param title what it shows; may be empty
 * @param low the value at its beginning
 * @param high the value at its end, greater than {@code low}
 * @param log whether equal distances are equal ratios
 * @param ticks where it is labelled
 */
public record Axis(String title, double low, double high, boolean log, List<Tick> ticks) {

  private static final double[] STEPS = {1, 2, 2.5, 5, 10};

  public Axis {
    ticks = List.copyOf(ticks);
  }

  /** A labelled place. */
  public record Tick(double at, String label) {}

  /** Values that people count in tens, or in powers of 1024 as bytes are. */
  public enum Counting {
    DECIMAL,
    BINARY
  }

  /** From 0 to {@code high} or a little more, labelled at round numbers. */
  public static Axis linear(
      String title, double high, Counting counting, DoubleFunction<String> label) {
    double top = high > 0 && Double.isFinite(high) ? high : 1;
    double unit =
        counting == Counting.DECIMAL
            ? 1
            : Math.pow(1024, Math.floor(Math.log(top / 4) / Math.log(1024)));
    double step = unit * step(top / unit / 4);
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i * step <= top * 1.001; i++) {
      ticks.add(new Tick(i * step, label.apply(i * step)));
    }
    return new Axis(title, 0, top * 1.02, false, ticks);
  }

  /** The smallest round number that is at least {@code rough}. */
  private static double step(double rough) {
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    return DoubleStream.of(STEPS)
        .map(step -> step * power)
        .filter(step -> step >= rough * 0.999)
        .findFirst()
        .orElse(10 * power);
  }

  /** From below {@code low} to above {@code high}, labelled at powers or between them. */
  public static Axis log(
      String title, double low, double high, Counting counting, DoubleFunction<String> label) {
    double from = low > 0 && Double.isFinite(low) ? low : 1;
    double to = Math.max(from, high);
    double margin = Math.max(Math.pow(to / from, 0.04), 1.1);
    double bottom = from / margin;
    double top = to * margin;
    List<Tick> ticks =
        (counting == Counting.DECIMAL ? tens(bottom, top) : twos(bottom, top))
            .filter(at -> at >= bottom && at <= top)
            .mapToObj(at -> new Tick(at, label.apply(at)))
            .toList();
    return new Axis(title, bottom, top, true, ticks);
  }

  private static DoubleStream tens(double bottom, double top) {
    double decades = Math.log10(top / bottom);
    double[] digits =
        decades < 0.8
            ? new double[] {1, 1.5, 2, 3, 5, 7}
            : decades < 2.2
                ? new double[] {1, 2, 5}
                : decades < 3.2 ? new double[] {1, 3} : new double[] {1};
    int every = Math.max(1, (int) Math.ceil(decades / 6));
    int first = (int) Math.floor(Math.log10(bottom));
    int last = (int) Math.ceil(Math.log10(top));
    return IntStream.rangeClosed(first, last)
        .filter(power -> Math.floorMod(power, every) == 0)
        .boxed()
        .flatMapToDouble(
            power -> DoubleStream.of(digits).map(digit -> digit * Math.pow(10, power)));
  }

  private static DoubleStream twos(double bottom, double top) {
    double octaves = Math.log(top / bottom) / Math.log(2);
    int every = Math.max(1, (int) Math.ceil(octaves / 6));
    int first = (int) Math.floor(Math.log(bottom) / Math.log(2));
    int last = (int) Math.ceil(Math.log(top) / Math.log(2));
    return IntStream.rangeClosed(first, last)
        .filter(power -> Math.floorMod(power, every) == 0)
        .mapToDouble(power -> Math.pow(2, power));
  }

  /** One place for each name, at 0, 1, 2 … */
  public static Axis names(String title, List<String> names) {
    List<Tick> ticks =
        IntStream.range(0, names.size()).mapToObj(i -> new Tick(i, names.get(i))).toList();
    double margin = names.size() == 1 ? 0.5 : 0.15;
    return new Axis(title, -margin, names.size() - 1 + margin, false, ticks);
  }

  /** Whether {@code value} has a place here. */
  boolean holds(double value) {
    return value >= low && value <= high;
  }

  /** Where {@code value} lies between 0, the beginning, and 1, the end; never outside. */
  double position(double value) {
    double share =
        log
            ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
            : (value - low) / (high - low);
    return Math.max(0, Math.min(1, share));
  }
}
