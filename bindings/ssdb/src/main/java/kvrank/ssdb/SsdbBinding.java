package kvrank.ssdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import kvrank.binding.ByteSource;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.ConnectionBinding;
import kvrank.binding.net.Endpoint;
import site.ycsb.Status;

/**
 * SSDB by its own protocol. A delete is acknowledged whether or not the key exists. A key that SSDB
 * cannot hold is refused here, since SSDB acknowledges some of those.
 */
public final class SsdbBinding extends ConnectionBinding<SsdbConnection> implements PrefixScan {

  private static final byte[] GET = ascii("get");
  private static final byte[] SET = ascii("set");
  private static final byte[] DEL = ascii("del");
  private static final byte[] MULTI_GET = ascii("multi_get");
  private static final byte[] MULTI_SET = ascii("multi_set");
  private static final byte[] MULTI_DEL = ascii("multi_del");
  private static final byte[] SCAN = ascii("scan");
  private static final byte[] NO_END = new byte[0];

  @Override
  protected SsdbConnection connect(Endpoint endpoint) throws IOException {
    return SsdbConnection.open(endpoint);
  }

  /** SSDB does not count, so a page of each of its types decides. */
  @Override
  protected long keyCount(SsdbConnection connection) throws IOException, RefusedException {
    long count = 0;
    for (String list : List.of("keys", "hlist", "zlist", "qlist")) {
      connection.send(ascii(list), List.of(NO_END, NO_END, ascii("1000")));
      count += connection.receive().orElse(List.of()).size();
    }
    return count;
  }

  @Override
  public void sendRead(byte[] key) {
    requests().send(c -> c.word(GET).word(key).end(), SsdbConnection::receive);
  }

  @Override
  public void sendUpdate(byte[] key, ByteSource value) {
    if (holds(key)) {
      requests().send(c -> c.word(SET).word(key).word(value).end(), (c, none) -> c.receive(1));
    } else {
      requests().answer(Status.BAD_REQUEST);
    }
  }

  @Override
  public void sendDelete(byte[] key) {
    requests().send(c -> c.word(DEL).word(key).end(), (c, none) -> c.receive(1));
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    if (!keys.stream().allMatch(SsdbBinding::holds)) {
      return Status.BAD_REQUEST;
    }
    return requests()
        .ask(
            c -> {
              c.word(MULTI_SET);
              for (int i = 0; i < keys.size(); i++) {
                c.word(keys.get(i)).word(values.get(i));
              }
              c.end();
            },
            (c, none) -> c.receive(keys.size()));
  }

  @Override
  public Status batchRead(List<byte[]> keys, List<ValueBuffer> values) {
    return requests()
        .ask(c -> c.send(MULTI_GET, keys), (c, none) -> values(keys, c.receive(), values));
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    return requests().ask(c -> c.send(MULTI_DEL, keys), (c, none) -> c.receive(keys.size()));
  }

  @Override
  public Status prefixScan(byte[] prefix, int limit, RecordBuffer records) {
    return prefix.length > KeyBounds.LONGEST
        ? Status.NOT_FOUND
        : scan(prefix, KeyBounds.lastWith(prefix), limit, records);
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    return scan(start, NO_END, limit, records);
  }

  private Status scan(byte[] first, byte[] last, int limit, RecordBuffer records) {
    byte[] start = KeyBounds.before(first);
    byte[] count = ascii(Integer.toString(limit));
    return requests()
        .ask(
            c -> c.send(SCAN, List.of(start, last, count)),
            (c, none) -> records(c.receive(), records));
  }

  /** The keys that were found and their values, in the order in which they were asked for. */
  private static Status values(
      List<byte[]> keys, Optional<List<byte[]>> answer, List<ValueBuffer> values) {
    List<byte[]> pairs = answer.orElse(List.of());
    int found = 0;
    for (int i = 0; i < keys.size() && found < pairs.size(); i++) {
      if (Arrays.equals(keys.get(i), pairs.get(found))) {
        values.get(i).wrap(pairs.get(found + 1));
        found += 2;
      }
    }
    return found == 0 ? Status.NOT_FOUND : Status.OK;
  }

  private static Status records(Optional<List<byte[]>> answer, RecordBuffer records) {
    List<byte[]> pairs = answer.orElse(List.of());
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      records.add(pairs.get(i), pairs.get(i + 1));
    }
    return pairs.isEmpty() ? Status.NOT_FOUND : Status.OK;
  }

  private static boolean holds(byte[] key) {
    return key.length >= 1 && key.length <= KeyBounds.LONGEST;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
