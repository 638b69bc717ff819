package kvrank.worker.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvrank.binding.BatchOperations;
import kvrank.binding.KeyCount;
import kvrank.binding.KeyValueStore;
import kvrank.binding.ValueBuffer;
import kvrank.failure.Cause;
import kvrank.worker.call.BatchKeys;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.key.KeyShape;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * The keys of a run on a server that kvrank does not own. They are removed by their names; nothing
 * is listed or flushed.
 */
public final class OwnKeys {

  private static final int BATCH = 100;

  /**
   * New records have numbers after the load's. Removal from the end stops after this many missing
   * ones.
   */
  private static final long LONGEST_GAP = 10_000;

  private static final long REPORT_NANOS = 1_000_000_000;

  private final WorkerSpec spec;
  private final DB binding;
  private final KeyValueStore store;
  private final Consumer<WorkerMessage> messages;
  private final KeyShape shape;
  private final BatchKeys keys;
  private final List<ValueBuffer> values = new ArrayList<>();
  private final int batch;
  private long done;
  private long reported = System.nanoTime();

  public OwnKeys(WorkerSpec spec, DB binding, Consumer<WorkerMessage> messages) {
    this.spec = spec;
    this.binding = binding;
    this.store = PhaseSetup.store(spec, binding);
    this.messages = messages;
    this.shape = spec.dataset().keys();
    this.batch = binding instanceof BatchOperations ? BATCH : 1;
    this.keys = new BatchKeys(new KeyFormat(shape), batch);
    for (int i = 0; i < batch; i++) {
      values.add(new ValueBuffer(spec.dataset().values().sizes().max()));
    }
  }

  /**
   * Ensures that kvrank overwrites no foreign keys: the server must be empty, or keys must have a
   * prefix. A killed run may have left some of those. Then ensures that keys can be removed.
   *
   * @throws WorkerException if kvrank must not write to the server
   */
  public void claim() throws WorkerException {
    String host = spec.properties().getOrDefault("host", "");
    // A Unix socket has no port.
    String one = host.startsWith("unix:") ? host : host + ":" + spec.properties().get("port");
    String address = spec.properties().getOrDefault("members", one);
    if (!shape.prefix().isEmpty()) {
      tryRemoval();
      remove();
      keepOthers(address);
      return;
    }
    String problem;
    try {
      long count = binding instanceof KeyCount server ? server.keyCount() : -1;
      if (count == 0) {
        tryRemoval();
        return;
      }
      problem =
          count < 0
              ? "the binding cannot check whether '%s' is empty".formatted(address)
              : "'%s' is not empty: it holds %,d %s"
                  .formatted(address, count, count == 1 ? "key" : "keys");
    } catch (IOException e) {
      problem = "cannot check whether '%s' is empty: %s".formatted(address, e.getMessage());
    }
    throw new WorkerException(
        Cause.INPUT,
        "",
        problem
            + "; nothing was written. To let kvrank write next to foreign keys, under a"
            + " prefix of its own, set 'external: {address: \"%s\", may-share: true}'"
                .formatted(address));
  }

  /** Rejects a server that could evict foreign keys. */
  private void keepOthers(String address) throws WorkerException {
    if (!(binding instanceof KeyCount server)) {
      return;
    }
    try {
      String rule = server.eviction();
      if (!rule.isEmpty() && server.keyCount() > 0) {
        throw new WorkerException(
            Cause.INPUT,
            "",
            "'%s' holds foreign keys, and would evict them to make room (%s); nothing was"
                    .formatted(address, rule)
                + " written. Use a server without eviction, or an empty one");
      }
    } catch (IOException e) {
      throw WorkerException.ofEngine(
          "", "cannot check whether '%s' evicts keys: %s".formatted(address, e.getMessage()), e);
    }
  }

  /**
   * Removes every key that the run may have inserted.
   *
   * @throws WorkerException if the server refuses, or should have been empty and is not
   */
  public void remove() throws WorkerException {
    long records = spec.dataset().records();
    long end = records;
    long gap = Math.max(LONGEST_GAP, records / 50);
    for (long id = records; id < shape.capacity() && id - end < gap; id += batch) {
      if (exists(from(id))) {
        end = id + batch;
      }
    }
    // From the end, so that an interrupted removal leaves no such gap.
    for (long id = (Math.min(end, shape.capacity()) - 1) / batch * batch; id >= 0; id -= batch) {
      delete(id);
    }
    if (shape.prefix().isEmpty() && binding instanceof KeyCount server) {
      requireEmpty(server);
    }
  }

  private static void requireEmpty(KeyCount server) throws WorkerException {
    String left;
    try {
      long count = server.keyCount();
      left =
          count == 0
              ? ""
              : "it was empty before, and holds %,d %s now"
                  .formatted(count, count == 1 ? "key" : "keys");
    } catch (IOException e) {
      left = "cannot check whether it is empty: " + e.getMessage();
    }
    if (!left.isEmpty()) {
      throw WorkerException.ofEngine("", left, null);
    }
  }

  /** Deletes keys that do not exist yet, as a server may refuse deletes. */
  private void tryRemoval() throws WorkerException {
    try {
      exists(from(0));
      delete(0);
    } catch (WorkerException e) {
      throw new WorkerException(e.failureCause(), "", e.getMessage() + "; nothing was written", e);
    }
  }

  private void delete(long first) throws WorkerException {
    Status status = deleted(from(first));
    if (!Status.OK.equals(status) && !Status.NOT_FOUND.equals(status)) {
      throw refused("deleted", status);
    }
  }

  private List<byte[]> from(long first) {
    if (System.nanoTime() - reported > REPORT_NANOS) {
      reported = System.nanoTime();
      messages.accept(new WorkerMessage.Progress("", 0, done, 0));
    }
    done += batch;
    return keys.of(first, (int) Math.min(batch, shape.capacity() - first));
  }

  private boolean exists(List<byte[]> asked) throws WorkerException {
    values.forEach(ValueBuffer::clear);
    Status status =
        binding instanceof BatchOperations engine
            ? engine.batchRead(asked, values.subList(0, asked.size()))
            : store.read(asked.get(0), values.get(0));
    if (!Status.OK.equals(status) && !Status.NOT_FOUND.equals(status)) {
      throw refused("looked for", status);
    }
    return Status.OK.equals(status);
  }

  private Status deleted(List<byte[]> asked) {
    return binding instanceof BatchOperations engine
        ? engine.batchDelete(asked)
        : store.delete(asked.get(0));
  }

  private static WorkerException refused(String what, Status status) {
    return WorkerException.ofEngine(
        "",
        "kvrank's own keys could not be %s: %s"
                .formatted(what, status == null ? "no status" : status.getName())
            + WorkerException.said(),
        null);
  }
}
