package kvrank.worker.call;

import java.nio.channels.SelectableChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.BatchOperations;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineFacts;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.Multiplexed;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ReverseScan;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/**
 * An engine that acknowledges everything and stores nothing, to measure kvrank's own limits. Its
 * answers are not checked.
 */
public final class NoopBinding extends KeyValueBinding
    implements BatchOperations, Multiplexed, PrefixScan, ReverseScan, EngineFacts {

  private static final byte[] NOTHING = {};

  private long inFlight;

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    return Status.OK;
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    return Status.OK;
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    return Status.OK;
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    return Status.OK;
  }

  @Override
  public Status delete(byte[] key) {
    return Status.OK;
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    return Status.OK;
  }

  @Override
  public Status batchRead(List<byte[]> keys, List<ValueBuffer> values) {
    for (ValueBuffer value : values) {
      value.wrap(NOTHING);
    }
    return Status.OK;
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    return Status.OK;
  }

  @Override
  public void sendRead(byte[] key) {
    inFlight++;
  }

  @Override
  public void sendInsert(byte[] key, ByteSource value) {
    inFlight++;
  }

  @Override
  public void sendUpdate(byte[] key, ByteSource value) {
    inFlight++;
  }

  @Override
  public void sendDelete(byte[] key) {
    inFlight++;
  }

  @Override
  public void flush() {}

  @Override
  public Optional<SelectableChannel> channel() {
    return Optional.empty();
  }

  @Override
  public Status receive(ValueBuffer value) {
    if (inFlight == 0) {
      throw new IllegalStateException("no request is in flight");
    }
    inFlight--;
    return Status.OK;
  }

  @Override
  public Status prefixScan(byte[] prefix, int limit, RecordBuffer records) {
    return Status.OK;
  }

  @Override
  public Status reverseScan(byte[] start, int limit, RecordBuffer records) {
    return Status.OK;
  }

  @Override
  public Status reversePrefixScan(byte[] prefix, int limit, RecordBuffer records) {
    return Status.OK;
  }

  @Override
  public SortedMap<String, String> facts() {
    return new TreeMap<>(Map.of("stores", "nothing"));
  }
}
