package kvrank.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import kvrank.binding.BatchOperations;
import kvrank.binding.BindingProperties;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineCounters;
import kvrank.binding.EngineFacts;
import kvrank.binding.EngineReports;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.Multiplexed;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ReverseScan;
import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;
import site.ycsb.Status;

/** A small sorted store in this JVM's memory; what the property {@code store} names is shared. */
public class MemoryBinding extends KeyValueBinding
    implements BatchOperations,
        Multiplexed,
        PrefixScan,
        ReverseScan,
        EngineCounters,
        EngineFacts,
        EngineReports {

  private static final Map<String, ConcurrentSkipListMap<String, byte[]>> STORES =
      new ConcurrentHashMap<>();

  private static final Map<String, Integer> WINDOWS = new ConcurrentHashMap<>();

  private final Queue<Function<ValueBuffer, Status>> inFlight = new ArrayDeque<>();
  private ConcurrentSkipListMap<String, byte[]> records = new ConcurrentSkipListMap<>();
  private int mostInFlight;

  /** Has a byte while there are answers to flushed requests; made when it is requested. */
  private Optional<Pipe> answers = Optional.empty();

  /** The most requests that one binding of that store had in flight. */
  public static int window(String name) {
    return WINDOWS.getOrDefault(name, 0);
  }

  /** The records of the store of that name. */
  public static ConcurrentSkipListMap<String, byte[]> store(String name) {
    return STORES.computeIfAbsent(name, n -> new ConcurrentSkipListMap<>());
  }

  /** The records of the store of that name, with values that have an equality. */
  public static Map<String, ByteBuffer> records(Path name) {
    return store(name.toString()).entrySet().stream()
        .collect(toMap(Map.Entry::getKey, record -> ByteBuffer.wrap(record.getValue())));
  }

  public final ConcurrentSkipListMap<String, byte[]> records() {
    return records;
  }

  static String text(byte[] key) {
    return new String(key, UTF_8);
  }

  @Override
  public void init() throws DBException {
    if (getProperties().containsKey("refuse")) {
      throw new DBException(getProperties().getProperty("refuse"));
    }
    if (getProperties().containsKey("limit")) {
      new BindingProperties(getProperties()).number("limit", 0, 1);
    }
    records = store(getProperties().getProperty("store", "default"));
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    byte[] found = records.get(text(key));
    if (found == null) {
      return Status.NOT_FOUND;
    }
    value.wrap(found);
    return Status.OK;
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer found) {
    if (!inFlight.isEmpty()) {
      return Status.UNEXPECTED_STATE;
    }
    records.tailMap(text(start)).entrySet().stream()
        .limit(limit)
        .forEach(record -> found.add(record.getKey().getBytes(UTF_8), record.getValue()));
    return Status.OK;
  }

  @Override
  public Status reverseScan(byte[] start, int limit, RecordBuffer found) {
    records.headMap(text(start), true).descendingMap().entrySet().stream()
        .limit(limit)
        .forEach(record -> found.add(record.getKey().getBytes(UTF_8), record.getValue()));
    return Status.OK;
  }

  @Override
  public Status reversePrefixScan(byte[] prefix, int limit, RecordBuffer found) {
    found.boundBelow(Optional.of(prefix), limit);
    for (Map.Entry<String, byte[]> record :
        records.headMap(text(prefix) + "\uFFFF").descendingMap().entrySet()) {
      if (!found.add(record.getKey().getBytes(UTF_8), record.getValue())) {
        break;
      }
    }
    return Status.OK;
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    return insert(key, value);
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    records.put(text(key), value.toByteArray());
    return Status.OK;
  }

  @Override
  public Status delete(byte[] key) {
    return records.remove(text(key)) == null ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    for (int i = 0; i < keys.size(); i++) {
      insert(keys.get(i), values.get(i));
    }
    return Status.OK;
  }

  @Override
  public Status batchRead(List<byte[]> keys, List<ValueBuffer> values) {
    Status status = Status.NOT_FOUND;
    for (int i = 0; i < keys.size(); i++) {
      if (read(keys.get(i), values.get(i)).isOk()) {
        status = Status.OK;
      }
    }
    return status;
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    keys.forEach(key -> records.remove(text(key)));
    return Status.OK;
  }

  @Override
  public void sendRead(byte[] key) {
    byte[] copy = key.clone();
    send(value -> read(copy, value));
  }

  @Override
  public void sendInsert(byte[] key, ByteSource value) {
    byte[] copy = key.clone();
    ByteSource copyOfValue = ByteSource.of(value.toByteArray());
    send(none -> insert(copy, copyOfValue));
  }

  @Override
  public void sendUpdate(byte[] key, ByteSource value) {
    byte[] copy = key.clone();
    ByteSource copyOfValue = ByteSource.of(value.toByteArray());
    send(none -> update(copy, copyOfValue));
  }

  @Override
  public void sendDelete(byte[] key) {
    byte[] copy = key.clone();
    send(none -> delete(copy));
  }

  private void send(Function<ValueBuffer, Status> request) {
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
  public Status receive(ValueBuffer value) {
    arrived();
    return inFlight.remove().apply(value);
  }

  final int inFlight() {
    return inFlight.size();
  }

  @Override
  public Status prefixScan(byte[] prefix, int limit, RecordBuffer found) {
    String first = text(prefix);
    records.tailMap(first).entrySet().stream()
        .takeWhile(record -> record.getKey().startsWith(first))
        .limit(limit)
        .forEach(record -> found.add(record.getKey().getBytes(UTF_8), record.getValue()));
    return found.size() == 0 ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  public void addCounters(Figures figures) {
    figures.gauge("records", records.size());
    figures.total("requests", 7);
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
