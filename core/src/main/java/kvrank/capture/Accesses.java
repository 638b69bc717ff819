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

  /** Reads alone tell what is popular where they are so many, and such a share of all. */
  private static final long LEAST_READS = 1_000;

  private static final double LEAST_SHARE = 0.25;

  private final Map<Long, Integer> numbers = new HashMap<>();

  /** The numbers of the keys in their order, of those that were written with all bits turned. */
  private final List<int[]> windows = new ArrayList<>();

  private final List<Newborn> newborns = new ArrayList<>();

  /** The open window, and the keys that were first seen in it, by a write, in their order. */
  private final List<Integer> open = new ArrayList<>();

  private final Map<Integer, Integer> born = new HashMap<>();
  private final List<Integer> made = new ArrayList<>();

  /** A read of a key that was made in its window, of {@code made}, {@code age} of them after it. */
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
    open.add(write ? ~number : number);
  }

  /** Ends the open window. */
  public void endWindow() {
    if (!open.isEmpty()) {
      windows.add(open.stream().mapToInt(Integer::intValue).toArray());
    }
    open.clear();
    born.clear();
  }

  /**
   * Returns the windows by which popularity is told, with the numbers of the keys: the reads of
   * each, if they are enough. A write that follows a read of its key, as in a cache or where a
   * value is changed, is no access of its own.
   */
  private List<int[]> told() {
    long all = windows.stream().mapToLong(window -> window.length).sum();
    long reads = windows.stream().flatMapToInt(Arrays::stream).filter(each -> each >= 0).count();
    boolean enough = reads >= LEAST_READS && reads >= LEAST_SHARE * all;
    return windows.stream()
        .map(
            window ->
                Arrays.stream(window)
                    .filter(each -> !enough || each >= 0)
                    .map(each -> Math.max(each, ~each))
                    .toArray())
        .toList();
  }

  /** Returns the number of accesses by which popularity is told. */
  long count() {
    return told().stream().mapToLong(window -> window.length).sum();
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
    int[] all = told().stream().flatMapToInt(Arrays::stream).toArray();
    return Arrays.stream(count(all, 0, all.length)).filter(count -> count > 0).toArray();
  }

  /** Returns how often each key was accessed that was, in each window by itself. */
  int[] countsByWindow() {
    return told().stream()
        .flatMapToInt(window -> Arrays.stream(count(window, 0, window.length)))
        .filter(count -> count > 0)
        .toArray();
  }

  /**
   * Returns how many times as often two accesses of a window are of one key as two of different
   * windows, 1 if that could be chance. Those of a window are of different halves of it, so that a
   * key that is written right after it was read does not count where reads are few.
   */
  double moving() {
    double near = 0;
    double nearPairs = 0;
    double far = squares(counts());
    double farPairs = (double) count() * count();
    for (int[] window : told()) {
      int half = window.length / 2;
      int[] first = count(window, 0, half);
      int[] second = count(window, half, window.length);
      for (int i = 0; i < first.length; i++) {
        near += (double) first[i] * second[i];
      }
      nearPairs += (double) half * (window.length - half);
      far -= squares(count(window, 0, window.length));
      farPairs -= (double) window.length * window.length;
    }
    double expected = Math.max(1, far / farPairs * nearPairs);
    return near - expected > 5 * Math.sqrt(expected) ? near / expected : 1;
  }

  private static double squares(int... counts) {
    return Arrays.stream(counts).mapToDouble(count -> (double) count * count).sum();
  }

  private int[] count(int[] window, int from, int to) {
    int[] counts = new int[numbers.size()];
    for (int i = from; i < to; i++) {
      counts[window[i]]++;
    }
    return counts;
  }
}
