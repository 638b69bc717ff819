package kvrank.kvrocks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.RefusedException;
import kvrank.resp.RespBinding;
import kvrank.resp.RespConnection;
import redis.clients.jedis.Protocol.Command;
import site.ycsb.Status;

/**
 * Apache Kvrocks, which keeps its keys in order: its SCAN with the pattern {@code prefix*} seeks to
 * the prefix, unlike Redis's, and returns only keys, so an MGET follows.
 */
public final class KvrocksBinding extends RespBinding implements PrefixScan {

  private static final byte[] MATCH = bytes("MATCH");
  private static final byte[] COUNT = bytes("COUNT");
  private static final String START = "0";

  /** Kvrocks counts only on request, so a page of its keys decides. */
  @Override
  protected long keyCount(RespConnection connection) throws IOException, RefusedException {
    connection.send(Command.SCAN, bytes(START), COUNT, bytes("1000"));
    Page page = new Page();
    page.read(connection);
    return Math.max(page.keys.size(), super.keyCount(connection));
  }

  /**
   * {@inheritDoc}
   *
   * <p>A prefix with one of {@code * ? [ ] \} is refused: whether these stand for themselves in the
   * pattern depends on the server's version.
   */
  @Override
  public Status prefixScan(byte[] prefix, int limit, RecordBuffer records) {
    for (byte each : prefix) {
      if ("*?[]\\".indexOf(each) >= 0) {
        return Status.BAD_REQUEST;
      }
    }
    byte[] pattern = Arrays.copyOf(prefix, prefix.length + 1);
    pattern[prefix.length] = '*';
    List<byte[]> keys = new ArrayList<>();
    byte[] cursor = bytes(START);
    do {
      Page page = new Page();
      byte[] from = cursor;
      byte[] count = bytes(Integer.toString(limit - keys.size()));
      Status status =
          requests()
              .ask(
                  c -> c.send(Command.SCAN, from, MATCH, pattern, COUNT, count),
                  (c, none) -> page.read(c));
      if (!status.isOk()) {
        return status;
      }
      keys.addAll(page.keys);
      cursor = page.cursor;
    } while (keys.size() < limit && !(cursor.length == 1 && cursor[0] == '0'));
    return readNamed(keys, records);
  }

  /** One answer to SCAN. */
  private static final class Page {
    private final List<byte[]> keys = new ArrayList<>();
    private byte[] cursor;

    Status read(RespConnection connection) throws IOException, RefusedException {
      List<?> answer = (List<?>) connection.receive();
      cursor = (byte[]) answer.get(0);
      for (Object key : (List<?>) answer.get(1)) {
        keys.add((byte[]) key);
      }
      return Status.OK;
    }
  }
}
