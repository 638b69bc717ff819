package kvrank.report.chart;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
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
    requireNonNull(title, "title is null");
    ticks = List.copyOf(ticks);
  }

  /** A labelled place. */
  public record Tick(double at, String label) {}

  /** From 0 to {@code high} or a little more, labelled at round numbers. */
  public static Axis linear(String title, double high, DoubleFunction<String> label) {
    double top = high > 0 && Double.isFinite(high) ? high : 1;
    double rough = top / 4;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power;
    for (double each : STEPS) {
      if (each * power >= rough * 0.999) {
        step = each * power;
        break;
      }
    }
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i * step <= top * 1.001; i++) {
      ticks.add(new Tick(i * step, label.apply(i * step)));
    }
    return new Axis(title, 0, top * 1.02, false, ticks);
  }

  /** From below {@code low} to above {@code high}, labelled at powers of ten or between them. */
  public static Axis log(String title, double low, double high, DoubleFunction<String> label) {
    double from = low > 0 && Double.isFinite(low) ? low : 1;
    double to = Math.max(from, high);
    double margin = Math.max(Math.pow(to / from, 0.04), 1.1);
    double bottom = from / margin;
    double top = to * margin;
    double decades = Math.log10(top / bottom);
    double[] digits =
        decades < 0.8
            ? new double[] {1, 1.5, 2, 3, 5, 7}
            : decades < 1.6 ? new double[] {1, 2, 5} : new double[] {1};
    int every = Math.max(1, (int) Math.ceil(decades / 6));
    List<Tick> ticks = new ArrayList<>();
    int first = (int) Math.floor(Math.log10(bottom));
    for (int power = first; power <= Math.ceil(Math.log10(top)); power++) {
      for (double digit : digits) {
        double at = digit * Math.pow(10, power);
        if (at >= bottom && at <= top && Math.floorMod(power, every) == 0) {
          ticks.add(new Tick(at, label.apply(at)));
        }
      }
    }
    return new Axis(title, bottom, top, true, ticks);
  }

  /** One place for each name, at 0, 1, 2 … */
  public static Axis names(String title, List<String> names) {
    List<Tick> ticks =
        IntStream.range(0, names.size()).mapToObj(i -> new Tick(i, names.get(i))).toList();
    double margin = names.size() == 1 ? 0.5 : 0.15;
    return new Axis(title, -margin, names.size() - 1 + margin, false, ticks);
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
