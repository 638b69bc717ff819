package kvrank.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import kvrank.binding.ByteSource;
import kvrank.binding.ErrorLog;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/** A {@link MemoryBinding} with the fault that the property {@code fault} names. */
public final class FaultyBinding extends MemoryBinding {

  private static final Queue<InputStream> OPEN = new ConcurrentLinkedQueue<>();

  /** How many calls in a row fail while it is away. */
  static final int FAILURES = 8;

  private long calls;

  private boolean has(String fault) {
    return getProperties().getProperty("fault", "").equals(fault);
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    calls++;
    if (has("throws") && calls % 100 == 0) {
      throw new IllegalStateException("broken\nin two lines");
    }
    if (has("throws once deleted") && !records().containsKey(text(key))) {
      throw new IllegalStateException("no such record");
    }
    if (has("dies") && calls > 2_000) {
      return Status.SERVICE_UNAVAILABLE;
    }
    if (has("goes away") && calls > 2_000 && calls <= 2_000 + FAILURES) {
      return Status.SERVICE_UNAVAILABLE;
    }
    if (has("dies and hangs") && calls > 2_000) {
      if (Thread.currentThread().getName().equals("client-0")) {
        LockSupport.parkNanos(Long.MAX_VALUE);
      }
      return Status.ERROR;
    }
    if (has("reads every tenth wrong") && text(key).endsWith("7")) {
      return super.read(text(key).replaceAll("7$", "8").getBytes(UTF_8), value);
    }
    if (has("reads the wrong record")) {
      String other = records().higherKey(text(key));
      return super.read(other == null ? key : other.getBytes(UTF_8), value);
    }
    return super.read(key, value);
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    if (has("loses a record") && text(key).endsWith("000042")) {
      return Status.OK;
    }
    boolean fresh = text(key).compareTo("000001000") >= 0;
    if (fresh && has("loses new records")) {
      return Status.OK;
    }
    if (fresh && has("refuses new records")) {
      return Status.FORBIDDEN;
    }
    if (has("refuses a record") && text(key).endsWith("000042")) {
      return Status.FORBIDDEN;
    }
    if (has("refuses all")) {
      ErrorLog.standard().report(getProperties().getProperty("words"));
      return Status.ERROR;
    }
    if (has("opens files")) {
      try {
        while (true) {
          OPEN.add(Files.newInputStream(Path.of("/dev/null")));
        }
      } catch (IOException noneLeft) {
        return Status.ERROR;
      }
    }
    if (has("flips a bit")) {
      super.insert(key, value);
      records().get(text(key))[50] ^= 1;
      return Status.OK;
    }
    if (has("only batches it")) {
      return Status.BATCHED_OK;
    }
    return super.insert(key, value);
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    Status status = super.update(key, value);
    if (has("loses what it updates")) {
      records().remove(text(key));
    }
    return status;
  }

  @Override
  public Status delete(byte[] key) {
    if (has("deletes nothing")) {
      return Status.OK;
    }
    if (has("deletes another, too")) {
      records().pollFirstEntry();
    }
    Status status = super.delete(key);
    return has("finds nothing to delete") ? Status.NOT_FOUND : status;
  }

  @Override
  public Status batchRead(List<byte[]> keys, List<ValueBuffer> values) {
    return has("reads half of a batch")
        ? super.batchRead(keys.subList(0, 5), values.subList(0, 5))
        : super.batchRead(keys, values);
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    Status status = super.batchDelete(keys);
    return has("finds nothing to delete") ? Status.NOT_FOUND : status;
  }

  @Override
  public void sendUpdate(byte[] key, ByteSource value) {
    if (has("throws when sending") && ++calls % 100 == 0) {
      throw new IllegalStateException("not sent");
    }
    super.sendUpdate(key, value);
  }

  @Override
  public Status prefixScan(byte[] prefix, int limit, RecordBuffer found) {
    if (has("scans too far")) {
      return super.prefixScan(Arrays.copyOf(prefix, 3), limit, found);
    }
    int most = has("scans too little") ? limit - 1 : limit;
    return super.prefixScan(prefix, most, found);
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer found) {
    RecordBuffer all = new RecordBuffer();
    Status status = super.scan(start, has("scans too little") ? limit - 1 : limit, all);
    for (int i = 0; i < all.size(); i++) {
      int from = has("scans backwards") ? all.size() - 1 - i : i;
      byte[] value = all.value(from);
      if (has("scans values of another")) {
        value = all.value((from + 1) % all.size());
      }
      byte[] key = all.key(from);
      if (has("scans too early") && i == 0) {
        key[0]--;
      }
      found.add(key, value);
    }
    return status;
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    return has("refuses batches") ? Status.ERROR : super.batchInsert(keys, values);
  }
}
