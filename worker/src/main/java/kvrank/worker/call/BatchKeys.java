package kvrank.worker.call;

import java.util.ArrayList;
import java.util.List;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.request.Requests;

/** The keys of a request for several records, reusable for the next. */
public final class BatchKeys {

  private final KeyFormat format;
  private final byte[][] buffers;
  private final List<byte[]> keys;

  public BatchKeys(KeyFormat format, int batch) {
    this.format = format;
    this.buffers = new byte[batch][];
    for (int i = 0; i < batch; i++) {
      buffers[i] = format.newKey();
    }
    this.keys = new ArrayList<>(batch);
  }

  public List<byte[]> of(Requests requests) {
    keys.clear();
    for (int i = 0; i < requests.size(); i++) {
      format.write(requests.id(i), buffers[i]);
      keys.add(buffers[i]);
    }
    return keys;
  }

  /** Returns the keys of {@code count} records from {@code first} on, at most a batch. */
  public List<byte[]> of(long first, int count) {
    keys.clear();
    for (int i = 0; i < count; i++) {
      format.write(first + i, buffers[i]);
      keys.add(buffers[i]);
    }
    return keys;
  }
}
