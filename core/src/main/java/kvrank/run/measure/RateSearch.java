package kvrank.run.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Searches the rate at which a latency crosses its bound. A look at a rate gives the excess, the
 * natural logarithm of latency over bound. After each look the rate goes up if the excess is
 * negative, else down, whatever the noise of one look: so neither a lucky nor an unlucky look is
 * favoured, and a wrong turn is corrected by later looks. The step halves when the direction
 * changes, and doubles from the third look in the same direction on.
 *
 * <p>The result is where the latency curve of a queue, fitted to the looks near it by weighted
 * least squares, crosses the bound: excess = log((1 - u) / (1 - u · rate / found)), with
 * utilization u at the bound.
 */
final class RateSearch {

  /** The smallest step, as a difference of logarithms: 1.1 %. */
  private static final double CELL = Math.log(2) / 64;

  /** The first step, in cells. All searches start at a multiple of it: a quarter of a doubling. */
  private static final int COARSE = 16;

  /** Looks after a change of direction has made the step smaller than the first. */
  private static final int LOOKS = 6;

  /** The maximum number of looks, if directions never change. */
  private static final int MOST = 20;

  /** Below this share of the unlimited rate, a result is useless. */
  private static final double FLOOR = 0.001;

  /** Larger excesses count as this, either way: a stall is not more telling than a bad look. */
  private static final double CLIP = 0.5;

  /** The number of looks near the result that decide about it. */
  private static final int NEAR = 6;

  /** A rate, as its logarithm, and the clipped excess there. */
  private record Look(double log, double excess) {}

  private final List<Look> looks = new ArrayList<>();
  private final double shift;
  private final int floor;
  private int next;
  private int step = COARSE;
  private int direction;
  private int inRow;
  private int left = MOST;
  private boolean close;
  private int scarceLooks;

  /**
   * Creates a search.
   *
   * @param reached the rate without a limit, where it starts
   * @param shift of the grid of rates, from 0 to 1 cell. It is drawn for each search, so that the
   *     width of a cell is part of the noise of results.
   */
  RateSearch(double reached, double shift) {
    if (!(reached > 0)) {
      throw new IllegalArgumentException("reached is " + reached);
    }
    this.shift = shift;
    floor = (int) Math.round(Math.log(reached * FLOOR) / CELL);
    next = COARSE * (int) Math.round(Math.log(reached) / CELL / COARSE);
  }

  private double log() {
    return (next + shift) * CELL;
  }

  /** Returns the rate to try, or empty if the search is over. */
  OptionalDouble next() {
    return left == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.exp(log()));
  }

  /**
   * Records as {@link #tried(double)} does. A second {@code scarce} rate, at which no step can have
   * enough requests, ends a search that found none below the bound: lower rates have fewer.
   */
  void tried(double excess, boolean scarce) {
    tried(excess);
    scarceLooks += scarce ? 1 : 0;
    if (scarceLooks > 1 && looks.stream().noneMatch(look -> look.excess < 0)) {
      left = 0;
    }
  }

  /** Records the excess at the rate of {@link #next}; NaN, if unknown, goes up to more requests. */
  void tried(double excess) {
    left--;
    if (!Double.isNaN(excess)) {
      looks.add(new Look(log(), clipped(excess)));
    }
    int turn = excess >= 0 ? -1 : 1;
    boolean turned = direction == -turn;
    inRow = turned ? 1 : inRow + 1;
    if (turned) {
      step = Math.max(1, step / 2);
    } else if (inRow > 2) {
      step *= 2;
    }
    if (turned && !close && step < COARSE) {
      close = true;
      left = LOOKS;
    }
    direction = turn;
    left = next == floor && turn < 0 ? 0 : left;
    next = Math.max(floor, next + turn * step);
  }

  /** Returns the rate at which the latency crosses the bound; empty if no look was below it. */
  OptionalDouble found() {
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    double good = Double.NEGATIVE_INFINITY;
    boolean bad = false;
    for (Look look : looks) {
      lowest = Math.min(lowest, look.log);
      highest = Math.max(highest, look.log);
      good = look.excess < 0 ? Math.max(good, look.log) : good;
      bad |= look.excess >= 0;
    }
    if (good < lowest || !bad) {
      return good < lowest ? OptionalDouble.empty() : OptionalDouble.of(Math.exp(good));
    }
    double found =
        looks.stream()
            .skip(Math.max(0, looks.size() - 4))
            .mapToDouble(Look::log)
            .average()
            .orElseThrow();
    for (int round = 0; round < 2; round++) {
      double[] weights = weights(found);
      found = best(weights, lowest, highest, CELL);
      found = best(weights, found - CELL, found + CELL, CELL / 16);
    }
    return OptionalDouble.of(Math.exp(found));
  }

  /** Returns the weights of the looks by their distance from a rate, as in Cleveland's LOWESS. */
  private double[] weights(double log) {
    double[] distances = looks.stream().mapToDouble(look -> Math.abs(look.log - log)).toArray();
    double[] sorted = distances.clone();
    Arrays.sort(sorted);
    double width = Math.max(3 * CELL, 1.5 * sorted[Math.min(NEAR, sorted.length) - 1]);
    return Arrays.stream(distances)
        .map(distance -> Math.pow(Math.max(0, 1 - Math.pow(distance / width, 3)), 3))
        .toArray();
  }

  /** Returns the crossing of the curve with the least squares, among those from {@code low} on. */
  private double best(double[] weights, double low, double high, double grain) {
    double best = low;
    double least = Double.POSITIVE_INFINITY;
    for (double slope = 0.25; slope <= 32; slope *= 2) {
      double utilization = slope / (1 + slope);
      for (double crossing = low; crossing <= high; crossing += grain) {
        double squares = 0;
        for (int i = 0; i < weights.length; i++) {
          Look look = looks.get(i);
          double idle = 1 - utilization * Math.exp(look.log - crossing);
          double curve = idle <= 0 ? CLIP : clipped(Math.log((1 - utilization) / idle));
          squares += weights[i] * (curve - look.excess) * (curve - look.excess);
        }
        if (squares < least) {
          least = squares;
          best = crossing;
        }
      }
    }
    return best;
  }

  private static double clipped(double excess) {
    return Math.max(-CLIP, Math.min(CLIP, excess));
  }
}
