package kvrank.capture;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * The times to live that monitored writes set. Unlike the keys that exist, which include those with
 * a long time to live more often than the others, every write is seen with the same probability.
 */
final class WriteTimes {

  /** The fewest writes with a time to live that tell which one it is. */
  static final int LEAST = 30;

  /** The part of the writes that may deviate: keep times to live, renew them, or set others. */
  private static final double MOST_OTHERS = 0.1;

  /** Commands that replace a value, and its time to live. */
  private static final Set<String> REPLACING =
      Set.of("set", "setex", "psetex", "setnx", "getset", "mset", "msetnx");

  private static final Map<String, String> EXPIRING =
      Map.of("expire", "ex", "pexpire", "px", "expireat", "exat", "pexpireat", "pxat");

  /** The numbers of a key's writes, and of those that set a time to live. */
  private final Map<Long, int[]> byKey = new HashMap<>();

  private final SortedMap<Integer, Integer> seconds = new TreeMap<>();

  /** The keys whose last write in the open window set no time to live. */
  private final Set<Long> lasting = new HashSet<>();

  private int writes;
  private int living;
  private int kept;
  private int renewed;

  /** Adds a command that writes a key, or changes its time to live. */
  void add(long key, Monitored command, boolean writes) {
    String name = command.word(0);
    if (writes && REPLACING.contains(name)) {
      boolean keeps = name.equals("set") && option(command, "keepttl") > 0;
      if (keeps) {
        kept++;
      } else {
        written(key, millis(name, command));
      }
    } else if (writes) {
      kept++;
    } else if (EXPIRING.containsKey(name)) {
      OptionalLong millis = command.millis(EXPIRING.get(name), 2);
      if (lasting.remove(key)) {
        byKey.get(key)[1]++;
        lives(millis);
      } else {
        renewed++;
      }
    } else if (name.equals("persist") || (name.equals("getex") && command.arguments().size() > 2)) {
      renewed++;
    }
  }

  private void written(long key, OptionalLong millis) {
    int[] counts = byKey.computeIfAbsent(key, any -> new int[2]);
    counts[0]++;
    writes++;
    if (millis.isPresent()) {
      lasting.remove(key);
      counts[1]++;
      lives(millis);
    } else {
      lasting.add(key);
    }
  }

  private void lives(OptionalLong millis) {
    living++;
    millis.ifPresent(
        each ->
            seconds.merge(
                (int) Math.min(Integer.MAX_VALUE, (each + 999) / 1_000), 1, Integer::sum));
  }

  private static OptionalLong millis(String name, Monitored command) {
    if (name.equals("setex") || name.equals("psetex")) {
      return command.millis(name.equals("setex") ? "ex" : "px", 2);
    }
    for (String unit : Set.of("ex", "px", "exat", "pxat")) {
      int place = name.equals("set") ? option(command, unit) : 0;
      if (place > 0) {
        return command.millis(unit, place + 1);
      }
    }
    return OptionalLong.empty();
  }

  /** Returns the index of an option of SET, 0 if it is missing. */
  private static int option(Monitored command, String option) {
    for (int i = 3; i < command.arguments().size(); i++) {
      if (command.word(i).equals(option)) {
        return i;
      }
    }
    return 0;
  }

  /** Ends the open window. */
  void endWindow() {
    lasting.clear();
  }

  /** Returns the number of writes that replace a value. */
  int count() {
    return writes;
  }

  /** Returns the share of the writes that set a time to live. */
  double share() {
    return writes == 0 ? 0 : (double) living / writes;
  }

  /** Returns the number of keys whose value was replaced. */
  int keys() {
    return byKey.size();
  }

  /**
   * Returns the mean over the keys of the share of their writes that set a time to live. It is the
   * same if writes are independent; if each key always has one or never has, popular keys do not
   * decide.
   */
  double shareOfKeys() {
    return shares().average().orElse(0);
  }

  private DoubleStream shares() {
    return byKey.values().stream().mapToDouble(counts -> (double) counts[1] / counts[0]);
  }

  /** Returns the half width of the 95 % interval of {@link #shareOfKeys}. */
  double interval() {
    double mean = shareOfKeys();
    double squares = shares().map(share -> Math.pow(share - mean, 2)).sum();
    return Math.max(3.0, 1.96 * Math.sqrt(squares)) / Math.max(1, keys());
  }

  /** Returns the time to live in seconds; empty if it is unknown, or if there are several. */
  OptionalInt seconds() {
    int most = quantile(0.5);
    int near =
        seconds.entrySet().stream()
            .filter(each -> Math.abs(each.getKey() - most) <= Math.max(1, MOST_OTHERS * most))
            .mapToInt(Map.Entry::getValue)
            .sum();
    return living >= LEAST && near >= (1 - MOST_OTHERS) * living
        ? OptionalInt.of(most)
        : OptionalInt.empty();
  }

  /** Returns a quantile of the times to live, in seconds; 0 if there are none. */
  int quantile(double share) {
    double left = share * living;
    for (Map.Entry<Integer, Integer> each : seconds.entrySet()) {
      left -= each.getValue();
      if (left <= 0) {
        return each.getKey();
      }
    }
    return 0;
  }

  /** Returns the property of these times that a workload cannot express; empty if there is none. */
  String obstacle() {
    if (kept > MOST_OTHERS * (writes + kept) && living + renewed > 0) {
      return "%,d of %,d writes keep the time to live of their key".formatted(kept, writes + kept);
    }
    return renewed > MOST_OTHERS * living
        ? "%,d commands change a time to live without a write".formatted(renewed)
        : "";
  }
}
