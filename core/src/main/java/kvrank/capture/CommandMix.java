package kvrank.capture;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.workload.request.Operation;

/** Numbers of commands by name: {@code calls} access the data of a key, {@code others} do not. */
public record CommandMix(SortedMap<String, Long> calls, SortedMap<String, Long> others) {

  /** The positions of keys among a command's arguments. */
  public enum Keys {
    FIRST,
    ALL,
    EVERY_OTHER;

    /** Returns whether an argument, counted from 1, is a key. */
    public boolean include(int argument) {
      return switch (this) {
        case FIRST -> argument == 1;
        case ALL -> true;
        case EVERY_OTHER -> argument % 2 == 1;
      };
    }
  }

  /**
   * A command; {@code ofStrings} if it accesses a whole value, not a part of a hash, list or set.
   */
  public record Command(Operation operation, Keys keys, boolean ofStrings) {}

  /** The sum of a workload's weights. */
  private static final double WEIGHTS = 10_000;

  /** The number of other commands that are named. */
  private static final int MOST_OTHERS = 5;

  /** Reads that return less than a value. */
  private static final Set<String> PARTS =
      Set.of("getrange", "substr", "strlen", "getbit", "bitcount", "exists");

  /** Other commands with short answers. */
  private static final Set<String> SHORT =
      Set.of(
          "ping", "expire", "pexpire", "expireat", "pexpireat", "persist", "ttl", "pttl", "type");

  private static final Map<String, Command> COMMANDS = new HashMap<>();

  static {
    know(Operation.READ, Keys.FIRST, true, "get getex getrange substr strlen getbit bitcount");
    know(Operation.READ, Keys.ALL, true, "mget exists");
    know(
        Operation.UPDATE,
        Keys.FIRST,
        true,
        "set setex psetex setnx getset append setrange setbit incr decr incrby decrby incrbyfloat");
    know(Operation.UPDATE, Keys.EVERY_OTHER, true, "mset msetnx");
    know(Operation.DELETE, Keys.FIRST, true, "getdel");
    know(Operation.DELETE, Keys.ALL, true, "del unlink");
    know(
        Operation.READ,
        Keys.FIRST,
        false,
        "hget hmget hgetall hexists hlen hkeys hvals hstrlen hrandfield lrange lindex llen lpos"
            + " sismember smismember smembers scard srandmember zscore zmscore zrank zrevrank zcard"
            + " zcount zrange zrevrange zrangebyscore zrevrangebyscore zrangebylex xrange xrevrange"
            + " xlen pfcount");
    know(
        Operation.UPDATE,
        Keys.FIRST,
        false,
        "hset hmset hsetnx hdel hincrby hincrbyfloat lpush rpush lpushx rpushx lpop rpop lset lrem"
            + " ltrim linsert sadd srem spop zadd zrem zincrby zpopmin zpopmax zremrangebyscore"
            + " zremrangebyrank xadd xdel xtrim pfadd");
  }

  private static void know(Operation operation, Keys keys, boolean ofStrings, String names) {
    for (String name : names.split(" ", -1)) {
      COMMANDS.put(name, new Command(operation, keys, ofStrings));
    }
  }

  /** Returns the command of that name, if it reads, writes or removes data. */
  public static Optional<Command> command(String name) {
    return Optional.ofNullable(COMMANDS.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Returns the commands between two observations, without the capture's {@code own}. */
  static CommandMix between(
      Map<String, Long> before, Map<String, Long> after, Map<String, Long> own) {
    SortedMap<String, Long> calls = new TreeMap<>();
    SortedMap<String, Long> others = new TreeMap<>();
    for (Map.Entry<String, Long> each : after.entrySet()) {
      String name = each.getKey();
      long done = each.getValue() - before.getOrDefault(name, 0L) - own.getOrDefault(name, 0L);
      if (done > 0 && COMMANDS.containsKey(name)) {
        calls.put(name, done);
      } else if (done > 0 && !name.contains("|")) {
        others.put(name, done);
      }
    }
    return new CommandMix(calls, others);
  }

  /** Returns the number of commands of an operation. */
  long count(Operation operation) {
    return sum(each -> each.operation() == operation);
  }

  /** Returns the number of commands. */
  long count() {
    return sum(each -> true);
  }

  private long sum(Predicate<Command> kind) {
    return calls.entrySet().stream()
        .filter(each -> kind.test(COMMANDS.get(each.getKey())))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns the share of each command, the most frequent first. */
  String shares() {
    double percent = count() / 100.0;
    return frequentFirst(calls)
        .map(each -> "%s %.3f %%".formatted(each.getKey(), each.getValue() / percent))
        .collect(Collectors.joining(", "));
  }

  /** Returns whether next to all answers are whole values or short. */
  boolean returnsValues() {
    long odd =
        sum(each -> !each.ofStrings())
            + count(PARTS)
            + others.entrySet().stream()
                .filter(each -> !SHORT.contains(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    return odd < 0.01 * count();
  }

  private long count(Set<String> names) {
    return calls.entrySet().stream()
        .filter(each -> names.contains(each.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns the share of the writes that are of commands which always set a time to live. */
  double alwaysLiving() {
    return (double) count(Set.of("setex", "psetex")) / Math.max(1, count(Operation.UPDATE));
  }

  /** Returns the number of other commands, and the most frequent ones. */
  String rest() {
    String most =
        frequentFirst(others)
            .limit(MOST_OTHERS)
            .map(each -> "%s %,d".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(", "));
    return "%,d others".formatted(others.values().stream().mapToLong(Long::longValue).sum())
        + (most.isEmpty() ? "" : " (" + most + ")");
  }

  private static Stream<Map.Entry<String, Long>> frequentFirst(Map<String, Long> commands) {
    return commands.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed());
  }

  /** Returns the share of the commands that access a part of a hash, a list or a set. */
  double partial() {
    return (double) sum(each -> !each.ofStrings()) / count();
  }

  /**
   * Returns the weights of a workload's operations. A write counts as an insert if the number of
   * keys grew, or if it replaced a removed key.
   *
   * @param growth by how much the number of keys grew
   * @param fills the number of writes that fill misses and do not count as operations of a workload
   */
  SortedMap<Operation, Integer> weights(long growth, long fills) {
    long writes = Math.max(0, count(Operation.UPDATE) - fills);
    long deletes = count(Operation.DELETE);
    long all = count();
    long inserts = Math.min(writes, Math.max(0, growth + deletes));
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    Map.of(
            Operation.READ,
            count(Operation.READ),
            Operation.INSERT,
            inserts,
            Operation.UPDATE,
            writes - inserts,
            Operation.DELETE,
            deletes)
        .forEach((each, done) -> weights.put(each, (int) Math.round(WEIGHTS * done / all)));
    weights.values().removeIf(weight -> weight == 0);
    return weights;
  }
}
