package kvrank.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import kvrank.binding.PrefixScan;
import kvrank.binding.Prefixes;
import kvrank.binding.RefusedException;
import kvrank.resp.RespBinding;
import kvrank.resp.RespConnection;
import redis.clients.jedis.Protocol.Command;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Redis, whose keyspace has no order. With the property {@code index: lexical} every key is kept in
 * one sorted set as well, and scans go through that: an insert and a delete are two commands then,
 * sent together. An update is still one command, since it is of a record that is there.
 */
public final class RedisBinding extends RespBinding implements PrefixScan {

  /** The key of the sorted set. */
  private static final byte[] INDEX = bytes("kvrank:index");

  private static final byte[] END = bytes("+");
  private static final byte[] LIMIT = bytes("LIMIT");
  private static final byte[] ZERO = bytes("0");

  private boolean indexed;

  @Override
  public void init() throws DBException {
    String index = getProperties().getProperty("index", "none");
    if (!index.equals("none") && !index.equals("lexical")) {
      throw new DBException("the property 'index' is '" + index + "', not none or lexical");
    }
    indexed = index.equals("lexical");
    super.init();
  }

  @Override
  public void sendInsert(String table, String key, Map<String, ByteIterator> values) {
    if (indexed) {
      sendIndexed(List.of(key), List.of(values));
    } else {
      super.sendInsert(table, key, values);
    }
  }

  @Override
  public Status batchInsert(
      String table, List<String> keys, List<Map<String, ByteIterator>> values) {
    if (!indexed) {
      return super.batchInsert(table, keys, values);
    }
    sendIndexed(keys, values);
    return receive(null);
  }

  @Override
  public void sendDelete(String table, String key) {
    if (!indexed) {
      super.sendDelete(table, key);
      return;
    }
    byte[] name = bytes(key);
    conversation()
        .send(
            c -> {
              c.send(Command.DEL, name);
              c.send(Command.ZREM, INDEX, name);
            },
            (c, none) -> (long) c.receive(2).get(0) == 0 ? Status.NOT_FOUND : Status.OK);
  }

  @Override
  public Status batchDelete(String table, List<String> keys) {
    if (!indexed) {
      return super.batchDelete(table, keys);
    }
    byte[][] names = names(keys);
    byte[][] members = new byte[names.length + 1][];
    members[0] = INDEX;
    System.arraycopy(names, 0, members, 1, names.length);
    return conversation()
        .ask(
            c -> {
              c.send(Command.DEL, names);
              c.send(Command.ZREM, members);
            },
            RedisBinding::bothDone);
  }

  @Override
  public Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    byte[] first = bytes(prefix);
    byte[] end = Prefixes.successor(first).map(successor -> bound('(', successor)).orElse(END);
    return between(bound('[', first), end, limit, results);
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
    Status status = between(bound('[', bytes(startkey)), END, recordcount, records);
    records.values().forEach(record -> result.add(new HashMap<>(record)));
    return status;
  }

  private Status between(
      byte[] from, byte[] to, int limit, Map<String, Map<String, ByteIterator>> results) {
    if (!indexed) {
      return Status.NOT_IMPLEMENTED;
    }
    byte[] count = bytes(Integer.toString(limit));
    List<byte[]> names = new ArrayList<>();
    Status listed =
        conversation()
            .ask(
                c -> c.send(Command.ZRANGEBYLEX, INDEX, from, to, LIMIT, ZERO, count),
                (c, none) -> {
                  for (Object name : (List<?>) c.receive()) {
                    names.add((byte[]) name);
                  }
                  return Status.OK;
                });
    return listed.isOk() ? readNamed(names, results) : listed;
  }

  private void sendIndexed(List<String> keys, List<Map<String, ByteIterator>> values) {
    if (!oneFieldEach(values)) {
      conversation().answer(Status.BAD_REQUEST);
      return;
    }
    byte[][] pairs = pairs(keys, values);
    byte[][] members = new byte[1 + pairs.length][];
    members[0] = INDEX;
    for (int i = 0; i < pairs.length; i += 2) {
      members[1 + i] = ZERO;
      members[2 + i] = pairs[i];
    }
    conversation()
        .send(
            c -> {
              c.send(Command.MSET, pairs);
              c.send(Command.ZADD, members);
            },
            RedisBinding::bothDone);
  }

  /** Neither answer is an error message, which {@link RespConnection#receive} would throw. */
  private static Status bothDone(RespConnection connection, Map<String, ByteIterator> none)
      throws IOException, RefusedException {
    return connection.receive(2).size() == 2 ? Status.OK : Status.ERROR;
  }

  private static byte[] bound(char kind, byte[] key) {
    byte[] bound = new byte[key.length + 1];
    bound[0] = (byte) kind;
    System.arraycopy(key, 0, bound, 1, key.length);
    return bound;
  }
}
