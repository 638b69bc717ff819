package kvrank.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvrank.binding.BindingProperties;
import kvrank.binding.ByteSource;
import kvrank.binding.PrefixScan;
import kvrank.binding.Prefixes;
import kvrank.binding.RecordBuffer;
import kvrank.binding.RefusedException;
import kvrank.resp.RespBinding;
import kvrank.resp.RespConnection;
import redis.clients.jedis.Protocol.Command;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Redis, whose keyspace has no order. With the property {@code index: lexical} every key is kept in
 * one sorted set as well, and scans go through that: an insert and a delete are two commands then,
 * sent together. An update is still one command, since its record exists. An expired record leaves
 * its key in the set.
 */
public final class RedisBinding extends RespBinding implements PrefixScan {

  private static final byte[] END = bytes("+");
  private static final byte[] LIMIT = bytes("LIMIT");
  private static final byte[] ZERO = bytes("0");

  /** The key of the sorted set. */
  private byte[] index;

  private boolean indexed;

  @Override
  public void init() throws DBException {
    BindingProperties properties = new BindingProperties(getProperties());
    indexed = properties.choice("index", "none", "lexical").equals("lexical");
    index = bytes(properties.text("key-prefix", "kvrank:") + "index");
    super.init();
  }

  @Override
  public void sendInsert(byte[] key, ByteSource value) {
    if (indexed) {
      sendIndexed(List.of(key), List.of(value));
    } else {
      super.sendInsert(key, value);
    }
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    if (!indexed) {
      return super.batchInsert(keys, values);
    }
    sendIndexed(keys, values);
    return receive(null);
  }

  @Override
  public Status batchUpdate(List<byte[]> keys, List<? extends ByteSource> values) {
    return super.batchInsert(keys, values);
  }

  @Override
  public void sendDelete(byte[] key) {
    if (!indexed) {
      super.sendDelete(key);
      return;
    }
    requests()
        .send(
            c -> {
              c.send(Command.DEL, key);
              c.send(Command.ZREM, index, key);
            },
            (c, none) -> (long) c.receive(2).get(0) == 0 ? Status.NOT_FOUND : Status.OK);
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    if (!indexed) {
      return super.batchDelete(keys);
    }
    List<byte[]> members = new ArrayList<>(keys);
    members.add(0, index);
    return requests()
        .ask(
            c -> {
              c.send(Command.DEL, array(keys));
              c.send(Command.ZREM, array(members));
            },
            (c, none) -> done(c, 2));
  }

  @Override
  public Status prefixScan(byte[] prefix, int limit, RecordBuffer records) {
    byte[] end = Prefixes.successor(prefix).map(successor -> bound('(', successor)).orElse(END);
    return between(bound('[', prefix), end, limit, records);
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    return between(bound('[', start), END, limit, records);
  }

  private Status between(byte[] from, byte[] to, int limit, RecordBuffer records) {
    if (!indexed) {
      return Status.NOT_IMPLEMENTED;
    }
    byte[] count = bytes(Integer.toString(limit));
    List<byte[]> keys = new ArrayList<>();
    Status listed =
        requests()
            .ask(
                c -> c.send(Command.ZRANGEBYLEX, index, from, to, LIMIT, ZERO, count),
                (c, none) -> {
                  for (Object key : (List<?>) c.receive()) {
                    keys.add((byte[]) key);
                  }
                  return Status.OK;
                });
    return listed.isOk() ? readNamed(keys, records) : listed;
  }

  private void sendIndexed(List<byte[]> keys, List<? extends ByteSource> values) {
    byte[][] members = new byte[1 + 2 * keys.size()][];
    members[0] = index;
    for (int i = 0; i < keys.size(); i++) {
      members[1 + 2 * i] = ZERO;
      members[2 + 2 * i] = keys.get(i);
    }
    requests()
        .send(
            c -> {
              c.set(keys, values);
              c.send(Command.ZADD, members);
            },
            (c, none) -> done(c, RespConnection.answers(values) + 1));
  }

  /** No answer is an error message, which {@link RespConnection#receive} would throw. */
  private static Status done(RespConnection connection, int answers)
      throws IOException, RefusedException {
    return connection.receive(answers).size() == answers ? Status.OK : Status.ERROR;
  }

  private static byte[] bound(char kind, byte[] key) {
    byte[] bound = new byte[key.length + 1];
    bound[0] = (byte) kind;
    System.arraycopy(key, 0, bound, 1, key.length);
    return bound;
  }
}
