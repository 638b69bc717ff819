package kvrank.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntConsumer;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/**
 * A {@link MemoryBinding} that acknowledges as many writes of each thread as the property {@code
 * writes} says and no more, and remembers what it acknowledged for each key. With the property
 * {@code last} it does the write that it does not acknowledge, half of a batch, and those in
 * flight.
 */
public final class MortalBinding extends MemoryBinding {

  private static final Map<String, SortedMap<String, List<Optional<byte[]>>>> HISTORIES =
      new ConcurrentHashMap<>();

  private long writes;

  /** By key, the values that were acknowledged one after the other; none for a delete. */
  public static SortedMap<String, List<Optional<byte[]>>> history(String store) {
    return HISTORIES.computeIfAbsent(store, name -> new ConcurrentSkipListMap<>());
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    return write(text(key), Optional.of(value.toByteArray()));
  }

  @Override
  public Status delete(byte[] key) {
    return write(text(key), Optional.empty());
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    return batch(keys.size(), i -> insert(keys.get(i), values.get(i)));
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    return batch(keys.size(), i -> delete(keys.get(i)));
  }

  private Status batch(int size, IntConsumer write) {
    long most = Long.parseLong(getProperties().getProperty("writes"));
    boolean acknowledged = writes + size <= most;
    writes = acknowledged ? writes : most;
    for (int i = 0; i < (acknowledged ? size : size / 2); i++) {
      write.accept(i);
    }
    return acknowledged ? Status.OK : Status.ERROR;
  }

  @Override
  public Status receive(ValueBuffer value) {
    Status status = super.receive(value);
    while (!status.isOk() && inFlight() > 0) {
      super.receive(value);
    }
    return status;
  }

  private Status write(String key, Optional<byte[]> value) {
    writes++;
    long most = Long.parseLong(getProperties().getProperty("writes"));
    boolean acknowledged = writes <= most;
    boolean last = writes > most && getProperties().containsKey("last");
    if (acknowledged || last) {
      value.ifPresentOrElse(bytes -> records().put(key, bytes), () -> records().remove(key));
    }
    if (acknowledged) {
      history(getProperties().getProperty("store"))
          .computeIfAbsent(key, first -> new ArrayList<>())
          .add(value);
    }
    return acknowledged ? Status.OK : Status.ERROR;
  }
}
