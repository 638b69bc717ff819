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
final class Accesses {

  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<int[]> windows = new ArrayList<>();
  private final List<Newborn> newborns = new ArrayList<>();

  /** The open window, and the keys that were first seen in it, by a write, in their order. */
  private int[] open = new int[1024];

  private int length;
  private final Map<Integer, Integer> born = new HashMap<>();
  private final List<Integer> made = new ArrayList<>();

  /**
   * A read after keys were made in its window, of one of them.
   *
   * @param age how many were made after it
   * @param made how many were made in all
   */
  record Newborn(int age, int made) {}

  /**
   * How alike two parts of the sequence are.
   *
   * @param same pairs of accesses, one of each part, that are of the same key
   * @param pairs all such pairs
   */
  record Collisions(double same, double pairs) {
    double share() {
      return same / pairs;
    }
  }

  /** Adds an access to the open window. */
  void add(long hash, boolean write) {
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
    if (length == open.length) {
      open = Arrays.copyOf(open, 2 * length);
    }
    open[length++] = number;
  }

  /** Ends the open window. */
  void endWindow() {
    if (length > 0) {
      windows.add(Arrays.copyOf(open, length));
    }
    length = 0;
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
   * Returns the collisions between the halves of each window, which are near to each other and yet
   * do not count that a key is written right after it was read.
   */
  Collisions near() {
    double same = 0;
    double pairs = 0;
    for (int[] window : windows) {
      int half = window.length / 2;
      int[] first = count(window, 0, half, empty());
      int[] second = count(window, half, window.length, empty());
      for (int i = 0; i < first.length; i++) {
        same += (double) first[i] * second[i];
      }
      pairs += (double) half * (window.length - half);
    }
    return new Collisions(same, pairs);
  }

  /** Returns the collisions between windows. */
  Collisions far() {
    double all = count();
    double same = squares(counts());
    double pairs = all * all;
    for (int[] window : windows) {
      same -= squares(count(window, 0, window.length, empty()));
      pairs -= (double) window.length * window.length;
    }
    return new Collisions(same / 2, pairs / 2);
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
