package kvrank.ssdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Vector;
import kvrank.binding.BatchOperations;
import kvrank.binding.Conversation;
import kvrank.binding.Endpoint;
import kvrank.binding.ErrorLog;
import kvrank.binding.Multiplexed;
import kvrank.binding.PrefixScan;
import kvrank.binding.RefusedException;
import kvrank.binding.Values;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * SSDB by its own protocol. A record is one key-value pair; the table's name is not part of it. A
 * delete is acknowledged whether or not the key is there. A key that SSDB cannot hold is refused
 * here, since SSDB acknowledges some of those.
 *
 * <p>Its properties are those of {@link Endpoint}.
 */
public final class SsdbBinding extends DB implements BatchOperations, PrefixScan, Multiplexed {

  private static final byte[] GET = ascii("get");
  private static final byte[] SET = ascii("set");
  private static final byte[] DEL = ascii("del");
  private static final byte[] MULTI_GET = ascii("multi_get");
  private static final byte[] MULTI_SET = ascii("multi_set");
  private static final byte[] MULTI_DEL = ascii("multi_del");
  private static final byte[] SCAN = ascii("scan");
  private static final byte[] NO_END = new byte[0];

  private Conversation<SsdbConnection> conversation;

  @Override
  public void init() throws DBException {
    Endpoint endpoint = Endpoint.of(getProperties());
    conversation =
        new Conversation<>(
            endpoint.toString(), () -> SsdbConnection.open(endpoint), ErrorLog.standard());
    try {
      conversation.open();
    } catch (IOException e) {
      throw new DBException(endpoint + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void cleanup() {
    if (conversation != null) {
      conversation.close();
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    sendRead(table, key, fields);
    return receive(result);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    sendInsert(table, key, values);
    return receive(null);
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    sendUpdate(table, key, values);
    return receive(null);
  }

  @Override
  public Status delete(String table, String key) {
    sendDelete(table, key);
    return receive(null);
  }

  @Override
  public void sendRead(String table, String key, Set<String> fields) {
    byte[] name = key.getBytes(UTF_8);
    conversation.send(c -> c.send(GET, name), SsdbBinding::record);
  }

  @Override
  public void sendInsert(String table, String key, Map<String, ByteIterator> values) {
    sendUpdate(table, key, values);
  }

  @Override
  public void sendUpdate(String table, String key, Map<String, ByteIterator> values) {
    byte[] name = key.getBytes(UTF_8);
    if (values.size() != 1 || !holds(name)) {
      conversation.answer(Status.BAD_REQUEST);
      return;
    }
    byte[] value = Values.bytes(values);
    conversation.send(c -> c.send(SET, name, value), (c, none) -> done(c, 1));
  }

  @Override
  public void sendDelete(String table, String key) {
    byte[] name = key.getBytes(UTF_8);
    conversation.send(c -> c.send(DEL, name), (c, none) -> done(c, 1));
  }

  @Override
  public Status receive(Map<String, ByteIterator> result) {
    return conversation.receive(result);
  }

  @Override
  public void flush() {
    conversation.act(SsdbConnection::flush);
  }

  @Override
  public Optional<SelectableChannel> channel() {
    return conversation.connection().map(SsdbConnection::channel);
  }

  @Override
  public Status batchInsert(
      String table, List<String> keys, List<Map<String, ByteIterator>> values) {
    byte[][] request = new byte[1 + 2 * keys.size()][];
    request[0] = MULTI_SET;
    for (int i = 0; i < keys.size(); i++) {
      request[1 + 2 * i] = keys.get(i).getBytes(UTF_8);
      if (values.get(i).size() != 1 || !holds(request[1 + 2 * i])) {
        return Status.BAD_REQUEST;
      }
      request[2 + 2 * i] = Values.bytes(values.get(i));
    }
    int count = keys.size();
    return conversation.ask(c -> c.send(request), (c, none) -> done(c, count));
  }

  @Override
  public Status batchRead(
      String table,
      List<String> keys,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    byte[][] request = request(MULTI_GET, keys);
    return conversation.ask(c -> c.send(request), (c, none) -> records(c, results));
  }

  @Override
  public Status batchDelete(String table, List<String> keys) {
    byte[][] request = request(MULTI_DEL, keys);
    int count = keys.size();
    return conversation.ask(c -> c.send(request), (c, none) -> done(c, count));
  }

  @Override
  public Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    byte[] first = prefix.getBytes(UTF_8);
    if (first.length > KeyBounds.LONGEST) {
      return Status.NOT_FOUND;
    }
    return scan(first, KeyBounds.lastWith(first), limit, results);
  }

  @Override
  @SuppressWarnings("NonApiType") // as YCSB declares it
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    Map<String, Map<String, ByteIterator>> records = new LinkedHashMap<>();
    Status status = scan(startkey.getBytes(UTF_8), NO_END, recordcount, records);
    records.values().forEach(record -> result.add(new HashMap<>(record)));
    return status;
  }

  private Status scan(
      byte[] first, byte[] last, int limit, Map<String, Map<String, ByteIterator>> results) {
    byte[] start = KeyBounds.before(first);
    byte[] count = ascii(Integer.toString(limit));
    return conversation.ask(
        c -> c.send(SCAN, start, last, count), (c, none) -> records(c, results));
  }

  private static Status record(SsdbConnection connection, Map<String, ByteIterator> result)
      throws IOException, RefusedException {
    Optional<List<byte[]>> answer = connection.receive();
    if (answer.isEmpty()) {
      return Status.NOT_FOUND;
    }
    Values.put(result, answer.get().get(0));
    return Status.OK;
  }

  /** The keys and values of an answer, in its order. */
  private static Status records(
      SsdbConnection connection, Map<String, Map<String, ByteIterator>> results)
      throws IOException, RefusedException {
    List<byte[]> pairs = connection.receive().orElse(List.of());
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      Map<String, ByteIterator> record = new HashMap<>();
      Values.put(record, pairs.get(i + 1));
      results.put(new String(pairs.get(i), UTF_8), record);
    }
    return pairs.isEmpty() ? Status.NOT_FOUND : Status.OK;
  }

  /** SSDB answers ok to a batch of which it stored nothing: the count is what it did. */
  private static Status done(SsdbConnection connection, int expected)
      throws IOException, RefusedException {
    Optional<List<byte[]>> answer = connection.receive();
    if (answer.isEmpty()) {
      return Status.NOT_FOUND;
    }
    String count = new String(answer.get().get(0), US_ASCII);
    if (!count.equals(Integer.toString(expected))) {
      throw new RefusedException("did " + count + " of " + expected);
    }
    return Status.OK;
  }

  private static boolean holds(byte[] key) {
    return key.length >= 1 && key.length <= KeyBounds.LONGEST;
  }

  private static byte[][] request(byte[] command, List<String> keys) {
    byte[][] request = new byte[1 + keys.size()][];
    request[0] = command;
    for (int i = 0; i < keys.size(); i++) {
      request[1 + i] = keys.get(i).getBytes(UTF_8);
    }
    return request;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
