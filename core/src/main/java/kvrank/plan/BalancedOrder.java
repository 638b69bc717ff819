package kvrank.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Balanced orders of the same things for consecutive repetitions: the rows of a Williams design (E.
 * J. Williams, "Experimental Designs Balanced for the Estimation of Residual Effects of
 * Treatments", Australian Journal of Scientific Research 2, 1949). Over all rows, each thing has
 * each position equally often and follows each other thing equally often.
 *
 * <p>Every second row is the reverse of the previous one. So of any two things, also in a subset,
 * each comes first equally often after an even number of repetitions, and once more after an odd
 * one. Each pass through the design draws its rows again, so that no order is periodic: a machine
 * that is slow every few runs would slow the same thing each time.
 *
 * @param rows indexes of the things in order, by repetition; they repeat
 */
record BalancedOrder(List<List<Integer>> rows) {

  private static final int FEWEST_ROWS = 100;

  /** Draws orders of {@code size} things. */
  static BalancedOrder draw(int size, long seed) {
    Random random = new Random(seed);
    List<Integer> things = new ArrayList<>(IntStream.range(0, size).boxed().toList());
    Collections.shuffle(things, random);
    List<Integer> starts =
        new ArrayList<>(
            IntStream.range(0, size % 2 == 0 ? Math.max(1, size / 2) : size).boxed().toList());
    List<List<Integer>> rows = new ArrayList<>();
    while (rows.size() < FEWEST_ROWS) {
      Collections.shuffle(starts, random);
      starts.forEach(start -> addRows(things, start, random.nextBoolean(), rows));
    }
    return new BalancedOrder(rows);
  }

  /** Adds a row of the design and its reverse. */
  private static void addRows(
      List<Integer> things, int start, boolean reversedFirst, List<List<Integer>> rows) {
    int size = things.size();
    List<Integer> row = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int step = i % 2 == 0 ? size - i / 2 : i / 2 + 1;
      row.add(things.get((start + step) % size));
    }
    List<Integer> reversed = new ArrayList<>(row);
    Collections.reverse(reversed);
    rows.add(reversedFirst ? reversed : row);
    rows.add(reversedFirst ? row : reversed);
  }

  /** Returns the order of {@code repetition}, which counts from 1. */
  List<Integer> of(int repetition) {
    return rows.get((repetition - 1) % rows.size());
  }
}
