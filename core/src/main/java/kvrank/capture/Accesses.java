package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvrank.workload.random.CounterRandom;

/**
 * Accesses to keys, in windows of time. A key comes as a hash with a random salt that is not kept,
 * and is stored as a number in the order of first accesses.
 */
public final class Accesses {

  /**
   * Popularity is estimated from reads only, if there are this many and they are this share of all.
   */
  private static final long LEAST_READS = 1_000;

  private static final double LEAST_SHARE = 0.25;

  /** Writes fill misses if this share of the keys, of at least so many, was read before. */
  private static final double LEAST_FOLLOWED = 0.9;

  private static final int LEAST_WRITTEN = 100;

  private final Map<Long, Integer> numbers = new HashMap<>();

  /** The keys' numbers in the order of accesses; a write has the complement of the number. */
  private final List<int[]> windows = new ArrayList<>();

  private final List<Newborn> newborns = new ArrayList<>();

  /** The open window; {@code born} numbers the keys that were first accessed in it, by a write. */
  private final List<Integer> open = new ArrayList<>();

  private final Map<Integer, Integer> born = new HashMap<>();
  private final List<Integer> made = new ArrayList<>();

  /** The keys that were read and written in the open window. */
  private final Set<Integer> read = new HashSet<>();

  private final Set<Integer> written = new HashSet<>();
  private int writtenKeys;
  private int followed;

  /**
   * A read of a key inserted in the same window, as were {@code made} in all, {@code age} later.
   */
  record Newborn(int age, int made) {}

  /** Returns the hash of a key in a database, with a salt. */
  static long hash(long salt, String database, byte[] key) {
    long hash = salt ^ database.hashCode();
    for (byte each : key) {
      hash = (hash ^ each) * 0x100000001B3L;
    }
    return CounterRandom.mix(hash);
  }

  /** Adds an access to the open window. */
  public void add(long hash, boolean write) {
    Integer known = numbers.putIfAbsent(hash, numbers.size());
    int number = known == null ? numbers.size() - 1 : known;
    if (write && known == null) {
      born.put(number, born.size());
    }
    if (write && written.add(number)) {
      followed += read.contains(number) ? 1 : 0;
      writtenKeys++;
    } else if (!write) {
      read.add(number);
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
    read.clear();
    written.clear();
  }

  /**
   * Returns the windows from which popularity is estimated, as numbers of keys: of reads only, if
   * there are enough. A write that follows a read of its key, as in a cache or when a value is
   * changed, is not an independent access.
   */
  private List<int[]> popularityWindows() {
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

  /** Returns the number of accesses from which popularity is estimated. */
  long count() {
    return popularityWindows().stream().mapToLong(window -> window.length).sum();
  }

  /** Returns the number of reads, by the number of keys inserted before them in their window. */
  int[] readsByMade() {
    int[] reads = new int[1 + made.stream().mapToInt(Integer::intValue).max().orElse(0)];
    made.forEach(each -> reads[each]++);
    return reads;
  }

  /**
   * Returns whether the first writes of keys in a window follow a read of the key, as those that
   * fill a miss do, and writes of unpopular keys hardly ever do by chance; true if there are too
   * few writes.
   */
  boolean writesFollowReads() {
    return writtenKeys < LEAST_WRITTEN || followed >= LEAST_FOLLOWED * writtenKeys;
  }

  /** Returns the number of windows. */
  int windows() {
    return windows.size();
  }

  /** Returns the reads of keys that were inserted in the same window. */
  List<Newborn> newborns() {
    return newborns;
  }

  /** Returns the number of accesses of each of these keys, in all windows together. */
  Map<Long, Integer> countsOf(Collection<Long> hashes) {
    int[] all = popularityWindows().stream().flatMapToInt(Arrays::stream).toArray();
    int[] counts = count(all, 0, all.length);
    Map<Long, Integer> found = new HashMap<>();
    for (long hash : hashes) {
      Integer number = numbers.get(hash);
      found.put(hash, number == null ? 0 : counts[number]);
    }
    return found;
  }

  /** Returns the number of accesses of each accessed key, in all windows together. */
  int[] counts() {
    int[] all = popularityWindows().stream().flatMapToInt(Arrays::stream).toArray();
    return Arrays.stream(count(all, 0, all.length)).filter(count -> count > 0).toArray();
  }

  /** Returns the number of accesses of each accessed key, for each window separately. */
  int[] countsByWindow() {
    return popularityWindows().stream()
        .flatMapToInt(window -> Arrays.stream(count(window, 0, window.length)))
        .filter(count -> count > 0)
        .toArray();
  }

  /**
   * Returns the probability that two accesses of one window are to the same key, divided by that
   * for two accesses of different windows; 1 if the difference could be chance. Within a window the
   * two are of different halves, so that a write right after a read of its key does not count if
   * there are few reads.
   */
  double moving() {
    double near = 0;
    double nearPairs = 0;
    double far = squares(counts());
    double farPairs = (double) count() * count();
    for (int[] window : popularityWindows()) {
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
