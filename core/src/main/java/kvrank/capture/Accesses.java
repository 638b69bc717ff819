package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which keys were accessed, in windows of time. Keys are hashes with a salt that nobody keeps, and
 * from here on numbers in the order in which they were first seen.
 */
public final class Accesses {

  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<int[]> windows = new ArrayList<>();
  private final List<Newborn> newborns = new ArrayList<>();

  /** The open window, and the keys that were first seen in it, by a write, in their order. */
  private final List<Integer> open = new ArrayList<>();

  private final Map<Integer, Integer> born = new HashMap<>();
  private final List<Integer> made = new ArrayList<>();

  /**
   * A read after keys were made in its window, of one of them.
   *
   * @param age how many were made after it
   * @param made how many were made in all
   */
  record Newborn(int age, int made) {}

  /** Adds an access to the open window. */
  public void add(long hash, boolean write) {
    Integer known = numbers.putIfAbsent(hash, numbers.size());
    int number = known == null ? numbers.size() - 1 : known;
    if (write && known == null) {
      born.put(number, born.size());
    } else if (!write) {
      made.add(born.size());
      Integer birth = born.get(number);
      if (birth != null) {
        newborns.add(new Newborn(born.size() - 1 - birth, born.size()));
      }
    }
    open.add(number);
  }

  /** Ends the open window. */
  public void endWindow() {
    if (!open.isEmpty()) {
      windows.add(open.stream().mapToInt(Integer::intValue).toArray());
    }
    open.clear();
    born.clear();
  }

  /** Returns the number of accesses. */
  long count() {
    return windows.stream().mapToLong(window -> window.length).sum();
  }

  /** Returns the number of reads by how many keys had been made in their window. */
  int[] readsByMade() {
    int[] reads = new int[1 + made.stream().mapToInt(Integer::intValue).max().orElse(0)];
    made.forEach(each -> reads[each]++);
    return reads;
  }

  /** Returns the number of windows. */
  int windows() {
    return windows.size();
  }

  /** Returns reads of keys that were made in the same window. */
  List<Newborn> newborns() {
    return newborns;
  }

  /** Returns how often each key was accessed that was, in all windows. */
  int[] counts() {
    int[] counts = new int[numbers.size()];
    windows.forEach(window -> count(window, 0, window.length, counts));
    return counts;
  }

  /** Returns how often each key was accessed that was, in each window by itself. */
  int[] countsByWindow() {
    return windows.stream()
        .flatMapToInt(window -> Arrays.stream(count(window, 0, window.length, empty())))
        .filter(count -> count > 0)
        .toArray();
  }

  /**
   * Returns how many times as often two accesses of a window are of one key as two of different
   * windows, 1 if that could be chance. Those of a window are of different halves of it, so that a
   * key that is written right after it was read does not count.
   */
  double moving() {
    double near = 0;
    double nearPairs = 0;
    double far = squares(counts());
    double farPairs = (double) count() * count();
    for (int[] window : windows) {
      int half = window.length / 2;
      int[] first = count(window, 0, half, empty());
      int[] second = count(window, half, window.length, empty());
      for (int i = 0; i < first.length; i++) {
        near += (double) first[i] * second[i];
      }
      nearPairs += (double) half * (window.length - half);
      far -= squares(count(window, 0, window.length, empty()));
      farPairs -= (double) window.length * window.length;
    }
    double expected = Math.max(1, far / farPairs * nearPairs);
    return near - expected > 5 * Math.sqrt(expected) ? near / expected : 1;
  }

  private static double squares(int... counts) {
    return Arrays.stream(counts).mapToDouble(count -> (double) count * count).sum();
  }

  private int[] empty() {
    return new int[numbers.size()];
  }

  private static int[] count(int[] window, int from, int to, int... counts) {
    for (int i = from; i < to; i++) {
      counts[window[i]]++;
    }
    return counts;
  }
}
