package kvrank.worker;

import java.nio.channels.SelectableChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.Vector;
import kvrank.binding.BatchOperations;
import kvrank.binding.EngineFacts;
import kvrank.binding.Multiplexed;
import kvrank.binding.PrefixScan;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * An engine that acknowledges everything and stores nothing: what kvrank reaches with it is the
 * most that it can measure. What it answers is not checked.
 */
public final class NoopBinding extends DB
    implements BatchOperations, Multiplexed, PrefixScan, EngineFacts {

  private long inFlight;

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
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
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    return Status.OK;
  }

  @Override
  public Status batchInsert(
      String table, List<String> keys, List<Map<String, ByteIterator>> values) {
    return Status.OK;
  }

  @Override
  public Status batchRead(
      String table,
      List<String> keys,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    for (String key : keys) {
      results.put(key, Map.of());
    }
    return Status.OK;
  }

  @Override
  public Status batchDelete(String table, List<String> keys) {
    return Status.OK;
  }

  @Override
  public void sendRead(String table, String key, Set<String> fields) {
    inFlight++;
  }

  @Override
  public void sendInsert(String table, String key, Map<String, ByteIterator> values) {
    inFlight++;
  }

  @Override
  public void sendUpdate(String table, String key, Map<String, ByteIterator> values) {
    inFlight++;
  }

  @Override
  public void sendDelete(String table, String key) {
    inFlight++;
  }

  @Override
  public void flush() {}

  /** Its answers are there at once. */
  @Override
  public Optional<SelectableChannel> channel() {
    return Optional.empty();
  }

  @Override
  public Status receive(Map<String, ByteIterator> result) {
    if (inFlight == 0) {
      throw new IllegalStateException("no request is in flight");
    }
    inFlight--;
    return Status.OK;
  }

  @Override
  public Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    return Status.OK;
  }

  @Override
  public SortedMap<String, String> facts() {
    return new TreeMap<>(Map.of("stores", "nothing"));
  }
}
