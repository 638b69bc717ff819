package kvrank.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.HashMap;
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
import kvrank.binding.RefusedException;
import kvrank.binding.Values;
import redis.clients.jedis.Protocol.Command;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Talks to any engine that knows GET, SET, DEL, MGET and MSET of Redis's protocol. A record is one
 * string, whose key is the record's key; the table's name is not part of it.
 *
 * <p>Its properties are those of {@link Endpoint}.
 */
public class RespBinding extends DB implements BatchOperations, Multiplexed {

  private Conversation<RespConnection> conversation;

  @Override
  public void init() throws DBException {
    Endpoint endpoint = Endpoint.of(getProperties());
    conversation =
        new Conversation<>(
            endpoint.toString(), () -> RespConnection.open(endpoint), ErrorLog.standard());
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

  /** Redis's protocol has no scan in key order. */
  @Override
  @SuppressWarnings("NonApiType") // as YCSB declares it
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public void sendRead(String table, String key, Set<String> fields) {
    byte[] name = bytes(key);
    conversation.send(c -> c.send(Command.GET, name), RespBinding::record);
  }

  @Override
  public void sendInsert(String table, String key, Map<String, ByteIterator> values) {
    sendUpdate(table, key, values);
  }

  @Override
  public void sendUpdate(String table, String key, Map<String, ByteIterator> values) {
    if (values.size() != 1) {
      conversation.answer(Status.BAD_REQUEST);
      return;
    }
    byte[] name = bytes(key);
    byte[] value = Values.bytes(values);
    conversation.send(c -> c.send(Command.SET, name, value), RespBinding::acknowledged);
  }

  @Override
  public void sendDelete(String table, String key) {
    byte[] name = bytes(key);
    conversation.send(
        c -> c.send(Command.DEL, name),
        (c, result) -> (long) c.receive() == 0 ? Status.NOT_FOUND : Status.OK);
  }

  @Override
  public Status receive(Map<String, ByteIterator> result) {
    return conversation.receive(result);
  }

  @Override
  public void flush() {
    conversation.act(RespConnection::flush);
  }

  @Override
  public Optional<SelectableChannel> channel() {
    return conversation.connection().map(RespConnection::channel);
  }

  @Override
  public Status batchInsert(
      String table, List<String> keys, List<Map<String, ByteIterator>> values) {
    if (!oneFieldEach(values)) {
      return Status.BAD_REQUEST;
    }
    byte[][] pairs = pairs(keys, values);
    return conversation.ask(c -> c.send(Command.MSET, pairs), RespBinding::acknowledged);
  }

  @Override
  public Status batchRead(
      String table,
      List<String> keys,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    byte[][] names = names(keys);
    return conversation.ask(
        c -> c.send(Command.MGET, names),
        (c, none) -> records(keys, (List<?>) c.receive(), results));
  }

  @Override
  public Status batchDelete(String table, List<String> keys) {
    byte[][] names = names(keys);
    return conversation.ask(
        c -> c.send(Command.DEL, names),
        (c, none) -> (long) c.receive() < 0 ? Status.ERROR : Status.OK);
  }

  /** The connection's requests and answers, for what an engine can do beyond this. */
  protected final Conversation<RespConnection> conversation() {
    return conversation;
  }

  /** A key as the engine sees it. */
  protected static byte[] bytes(String key) {
    return key.getBytes(UTF_8);
  }

  /** Keys as the engine sees them. */
  protected static byte[][] names(List<String> keys) {
    byte[][] names = new byte[keys.size()][];
    for (int i = 0; i < names.length; i++) {
      names[i] = bytes(keys.get(i));
    }
    return names;
  }

  /** Keys and values in turn, as MSET takes them. The values are consumed. */
  protected static byte[][] pairs(List<String> keys, List<Map<String, ByteIterator>> values) {
    byte[][] pairs = new byte[2 * keys.size()][];
    for (int i = 0; i < keys.size(); i++) {
      pairs[2 * i] = bytes(keys.get(i));
      pairs[2 * i + 1] = Values.bytes(values.get(i));
    }
    return pairs;
  }

  /** Whether every record is one opaque value, which is all that a string can hold. */
  protected static boolean oneFieldEach(List<Map<String, ByteIterator>> values) {
    for (Map<String, ByteIterator> each : values) {
      if (each.size() != 1) {
        return false;
      }
    }
    return true;
  }

  /** Reads the records under the keys that the engine gave, in their order. */
  protected final Status readNamed(
      List<byte[]> names, Map<String, Map<String, ByteIterator>> results) {
    if (names.isEmpty()) {
      return Status.NOT_FOUND;
    }
    List<String> keys = new ArrayList<>(names.size());
    for (byte[] name : names) {
      keys.add(new String(name, UTF_8));
    }
    byte[][] all = names.toArray(new byte[0][]);
    return conversation.ask(
        c -> c.send(Command.MGET, all), (c, none) -> records(keys, (List<?>) c.receive(), results));
  }

  /** Puts the values of those keys that were found into {@code results}, in the keys' order. */
  private static Status records(
      List<String> keys, List<?> values, Map<String, Map<String, ByteIterator>> results) {
    Status status = Status.NOT_FOUND;
    for (int i = 0; i < keys.size(); i++) {
      if (values.get(i) instanceof byte[] value) {
        Map<String, ByteIterator> record = new HashMap<>();
        Values.put(record, value);
        results.put(keys.get(i), record);
        status = Status.OK;
      }
    }
    return status;
  }

  private static Status record(RespConnection connection, Map<String, ByteIterator> result)
      throws IOException, RefusedException {
    byte[] value = (byte[]) connection.receive();
    if (value == null) {
      return Status.NOT_FOUND;
    }
    Values.put(result, value);
    return Status.OK;
  }

  private static Status acknowledged(RespConnection connection, Map<String, ByteIterator> none)
      throws IOException, RefusedException {
    byte[] answer = (byte[]) connection.receive();
    return answer.length == 2 && answer[0] == 'O' && answer[1] == 'K' ? Status.OK : Status.ERROR;
  }
}
