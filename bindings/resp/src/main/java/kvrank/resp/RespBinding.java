package kvrank.resp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineCounters;
import kvrank.binding.EngineReports;
import kvrank.binding.RecordBuffer;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.ConnectionBinding;
import kvrank.binding.net.Endpoint;
import redis.clients.jedis.Protocol.Command;
import site.ycsb.Status;

/**
 * Talks to any engine that knows GET, SET, DEL, MGET and MSET of Redis's protocol, which has no
 * scan in key order. A record is one string, whose key is the record's key.
 */
public class RespBinding extends ConnectionBinding<RespConnection>
    implements EngineCounters, EngineReports {

  private static final byte[] GET = RespConnection.head(Command.GET, 1);
  private static final byte[] DEL = RespConnection.head(Command.DEL, 1);

  /** A database in the answer to {@code INFO keyspace}. */
  private static final Pattern KEYS = Pattern.compile("(?m)^db\\d+:keys=(\\d+)");

  private static final Pattern FIGURE = Pattern.compile("(?m)^(\\w+):(\\d+)\r?$");

  /** Names of INFO, and theirs as figures. */
  private static final Map<String, String> GAUGES =
      Map.of(
          "used_memory", "used_memory_bytes",
          "all_mem_tables", "memtable_bytes",
          "num_running_flushes", "running_flushes",
          "num_running_compactions", "running_compactions",
          "rdb_bgsave_in_progress", "rdb_bgsave_in_progress",
          "aof_rewrite_in_progress", "aof_rewrite_in_progress");

  private static final Set<String> TOTALS =
      Set.of(
          "evicted_keys", "expired_keys", "aof_delayed_fsync", "flush_count", "compaction_count");

  private static final Pattern LIMIT = Pattern.compile("(?m)^maxmemory:0*[1-9]");

  private static final Pattern POLICY =
      Pattern.compile("(?m)^maxmemory_policy:(?!noeviction)(\\S+)");

  /** What servers of this protocol answer to a command that they do not have. */
  private static final Pattern NO_COMMAND =
      Pattern.compile("(?i)unknown|unsupported|not supported|not implemented");

  private boolean withoutMget;

  @Override
  protected final RespConnection connect(Endpoint endpoint) throws IOException {
    return RespConnection.open(endpoint);
  }

  @Override
  protected long keyCount(RespConnection connection) throws IOException, RefusedException {
    return count(connection);
  }

  /** By DBSIZE, which is of one database, and by INFO, where engines differ in what it says. */
  static long count(RespConnection connection) throws IOException, RefusedException {
    connection.send(Command.DBSIZE);
    connection.send(Command.INFO, bytes("keyspace"));
    List<Object> answers = connection.receive(2);
    Matcher database = KEYS.matcher(new String((byte[]) answers.get(1), StandardCharsets.UTF_8));
    long all = database.results().mapToLong(keys -> Long.parseLong(keys.group(1))).sum();
    return Math.max((long) answers.get(0), all);
  }

  @Override
  protected String eviction(RespConnection connection) throws IOException, RefusedException {
    return rule(connection);
  }

  /** Engines that have no limit of memory do not name one. */
  static String rule(RespConnection connection) throws IOException, RefusedException {
    connection.send(Command.INFO, bytes("memory"));
    String memory = new String((byte[]) connection.receive(1).get(0), StandardCharsets.UTF_8);
    Matcher policy = POLICY.matcher(memory);
    return LIMIT.matcher(memory).find() && policy.find()
        ? "maxmemory-policy " + policy.group(1)
        : "";
  }

  /** Reports that batches of reads were not what they usually are. */
  @Override
  public SortedMap<String, String> reports() {
    SortedMap<String, String> reports = new TreeMap<>();
    if (withoutMget) {
      reports.put("batch-reads", "a GET for each key, as the server has no MGET");
    }
    return reports;
  }

  @Override
  public void addCounters(Figures figures) throws IOException {
    watch(
        connection -> {
          connection.send(Command.INFO);
          add(figures, new String((byte[]) connection.receive(), StandardCharsets.UTF_8));
        });
  }

  /** Adds those lines of INFO that explain a stall; engines differ in which they have. */
  static void add(Figures figures, String info) {
    Matcher line = FIGURE.matcher(info);
    while (line.find()) {
      String name = line.group(1);
      double value = Double.parseDouble(line.group(2));
      if (GAUGES.containsKey(name)) {
        figures.gauge(GAUGES.get(name), value);
      } else if (TOTALS.contains(name)) {
        figures.total(name, value);
      }
    }
  }

  @Override
  public void sendRead(byte[] key) {
    requests().send(c -> c.sendKey(GET, key), RespConnection::receive);
  }

  @Override
  public void sendUpdate(byte[] key, ByteSource value) {
    requests().send(c -> c.set(key, value), (c, none) -> c.acknowledged());
  }

  @Override
  public void sendDelete(byte[] key) {
    requests().send(c -> c.sendKey(DEL, key), (c, none) -> c.deleted());
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    return requests()
        .ask(c -> c.set(keys, values), (c, none) -> c.acknowledged(RespConnection.answers(values)));
  }

  @Override
  public Status batchRead(List<byte[]> keys, List<ValueBuffer> values) {
    return requests()
        .ask(c -> sendReads(c, keys), (c, none) -> values(receiveReads(c, keys), values));
  }

  /** Adds an MGET, or a GET for each key if the server has no MGET. */
  private void sendReads(RespConnection connection, List<byte[]> keys) {
    if (withoutMget) {
      keys.forEach(key -> connection.sendKey(GET, key));
    } else {
      connection.send(Command.MGET, array(keys));
    }
  }

  /** Returns the answers to that; asks again if the server turns out to have no MGET. */
  private List<?> receiveReads(RespConnection connection, List<byte[]> keys)
      throws IOException, RefusedException {
    if (!withoutMget) {
      try {
        return (List<?>) connection.receive();
      } catch (RefusedException e) {
        if (!NO_COMMAND.matcher(e.getMessage()).find()) {
          throw e;
        }
        withoutMget = true;
        sendReads(connection, keys);
      }
    }
    return connection.receive(keys.size());
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    return requests()
        .ask(
            c -> c.send(Command.DEL, array(keys)),
            (c, none) -> (long) c.receive() < 0 ? Status.ERROR : Status.OK);
  }

  /** Returns a word of a command as the engine sees it. */
  protected static byte[] bytes(String word) {
    return word.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns keys as the arguments of a command. */
  protected static byte[][] array(List<byte[]> keys) {
    return keys.toArray(new byte[0][]);
  }

  /** Reads the records under the keys that the engine gave, in their order. */
  protected final Status readNamed(List<byte[]> keys, RecordBuffer records) {
    if (keys.isEmpty()) {
      return Status.NOT_FOUND;
    }
    return requests()
        .ask(c -> sendReads(c, keys), (c, none) -> records(keys, receiveReads(c, keys), records));
  }

  private static Status records(List<byte[]> keys, List<?> answers, RecordBuffer records) {
    for (int i = 0; i < keys.size(); i++) {
      if (answers.get(i) instanceof byte[] value) {
        records.add(keys.get(i), value);
      }
    }
    return records.size() == 0 ? Status.NOT_FOUND : Status.OK;
  }

  private static Status values(List<?> answers, List<ValueBuffer> values) {
    Status status = Status.NOT_FOUND;
    for (int i = 0; i < values.size(); i++) {
      if (answers.get(i) instanceof byte[] value) {
        values.get(i).wrap(value);
        status = Status.OK;
      }
    }
    return status;
  }
}
