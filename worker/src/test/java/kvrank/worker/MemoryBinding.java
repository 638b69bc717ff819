package kvrank.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import kvrank.binding.BatchOperations;
import kvrank.binding.EngineFacts;
import kvrank.binding.EngineReports;
import kvrank.binding.Multiplexed;
import kvrank.binding.PrefixScan;
import kvrank.binding.Values;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** A small sorted store in this JVM's memory; what the property {@code store} names is shared. */
public class MemoryBinding extends DB
    implements BatchOperations, Multiplexed, PrefixScan, EngineFacts, EngineReports {

  private static final Map<String, ConcurrentSkipListMap<String, byte[]>> STORES =
      new ConcurrentHashMap<>();

  private static final Map<String, Integer> WINDOWS = new ConcurrentHashMap<>();

  private final Queue<Function<Map<String, ByteIterator>, Status>> inFlight = new ArrayDeque<>();
  private ConcurrentSkipListMap<String, byte[]> records = new ConcurrentSkipListMap<>();
  private int mostInFlight;

  /** Has a byte as long as answers to flushed requests are there; made when it is asked for. */
  private Optional<Pipe> answers = Optional.empty();

  /** The most requests that one binding of that store had in flight. */
  static int window(String name) {
    return WINDOWS.getOrDefault(name, 0);
  }

  /** The records of the store of that name. */
  static ConcurrentSkipListMap<String, byte[]> store(String name) {
    return STORES.computeIfAbsent(name, n -> new ConcurrentSkipListMap<>());
  }

  final ConcurrentSkipListMap<String, byte[]> records() {
    return records;
  }

  @Override
  public void init() throws DBException {
    if (getProperties().containsKey("refuse")) {
      throw new DBException(getProperties().getProperty("refuse"));
    }
    records = store(getProperties().getProperty("store", "default"));
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    byte[] value = records.get(key);
    if (value == null) {
      return Status.NOT_FOUND;
    }
    Values.put(result, value);
    return Status.OK;
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's API
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    if (!inFlight.isEmpty()) {
      return Status.UNEXPECTED_STATE;
    }
    records.tailMap(startKey).values().stream()
        .limit(recordCount)
        .forEach(
            value -> {
              HashMap<String, ByteIterator> record = new HashMap<>();
              Values.put(record, value);
              result.add(record);
            });
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return insert(table, key, values);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    records.put(key, Values.bytes(values));
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    return records.remove(key) == null ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  public Status batchInsert(
      String table, List<String> keys, List<Map<String, ByteIterator>> values) {
    for (int i = 0; i < keys.size(); i++) {
      insert(table, keys.get(i), values.get(i));
    }
    return Status.OK;
  }

  @Override
  public Status batchRead(
      String table,
      List<String> keys,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    for (String key : keys) {
      Map<String, ByteIterator> record = new HashMap<>();
      if (read(table, key, fields, record).isOk()) {
        results.put(key, record);
      }
    }
    return results.isEmpty() ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  public Status batchDelete(String table, List<String> keys) {
    keys.forEach(records::remove);
    return Status.OK;
  }

  @Override
  public void sendRead(String table, String key, Set<String> fields) {
    send(result -> read(table, key, fields, result));
  }

  @Override
  public void sendInsert(String table, String key, Map<String, ByteIterator> values) {
    Map<String, ByteIterator> copy = copy(values);
    send(result -> insert(table, key, copy));
  }

  @Override
  public void sendUpdate(String table, String key, Map<String, ByteIterator> values) {
    Map<String, ByteIterator> copy = copy(values);
    send(result -> update(table, key, copy));
  }

  @Override
  public void sendDelete(String table, String key) {
    send(result -> delete(table, key));
  }

  private static Map<String, ByteIterator> copy(Map<String, ByteIterator> values) {
    Map<String, ByteIterator> copy = new HashMap<>();
    Values.put(copy, Values.bytes(values));
    return copy;
  }

  private void send(Function<Map<String, ByteIterator>, Status> request) {
    inFlight.add(request);
    mostInFlight = Math.max(mostInFlight, inFlight.size());
    WINDOWS.merge(getProperties().getProperty("store", "default"), mostInFlight, Math::max);
  }

  /** Each request is applied when its answer is taken, in order. */
  @Override
  public void flush() {
    try {
      if (answers.isEmpty()) {
        answers = Optional.of(Pipe.open());
      }
      answers.get().sink().write(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<SelectableChannel> channel() {
    return answers.map(Pipe::source);
  }

  private void arrived() {
    try {
      if (answers.isPresent() && !answers.get().source().isBlocking()) {
        answers.get().source().read(ByteBuffer.allocate(1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Status receive(Map<String, ByteIterator> result) {
    arrived();
    return inFlight.remove().apply(result);
  }

  @Override
  public Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    records.tailMap(prefix).entrySet().stream()
        .takeWhile(record -> record.getKey().startsWith(prefix))
        .limit(limit)
        .forEach(
            record -> {
              Map<String, ByteIterator> fieldsOfRecord = new HashMap<>();
              Values.put(fieldsOfRecord, record.getValue());
              results.put(record.getKey(), fieldsOfRecord);
            });
    return results.isEmpty() ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  public SortedMap<String, String> reports() {
    return new TreeMap<>(Map.of("size", Integer.toString(records.size())));
  }

  @Override
  public SortedMap<String, String> facts() {
    return new TreeMap<>(Map.of("memory.version", "1"));
  }
}
