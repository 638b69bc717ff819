package kvrank.memcached;

import java.io.IOException;
import java.util.List;
import kvrank.binding.ByteSource;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.ConnectionBinding;
import kvrank.binding.net.Endpoint;
import site.ycsb.Status;

/**
 * memcached by its meta commands, of which each has one response; a batch is that many of them,
 * sent together. A key that memcached cannot hold is refused here, since it would take the value
 * for the next command.
 */
public final class MemcachedBinding extends ConnectionBinding<MemcachedConnection> {

  @Override
  protected MemcachedConnection connect(Endpoint endpoint) throws IOException {
    return MemcachedConnection.open(endpoint);
  }

  @Override
  protected long keyCount(MemcachedConnection connection) throws IOException, RefusedException {
    return connection.items();
  }

  /** Its memory has a limit, and what was used least recently goes. */
  @Override
  protected String eviction(MemcachedConnection connection) {
    return "memcached's LRU";
  }

  @Override
  public void sendRead(byte[] key) {
    MetaKey name = MetaKey.of(key);
    if (name.fits()) {
      requests().send(c -> c.get(name), MemcachedConnection::receive);
    } else {
      requests().answer(Status.NOT_FOUND);
    }
  }

  @Override
  public void sendUpdate(byte[] key, ByteSource value) {
    MetaKey name = MetaKey.of(key);
    if (name.fits()) {
      requests().send(c -> c.set(name, value), MemcachedConnection::receive);
    } else {
      requests().answer(Status.BAD_REQUEST);
    }
  }

  @Override
  public void sendDelete(byte[] key) {
    MetaKey name = MetaKey.of(key);
    if (name.fits()) {
      requests().send(c -> c.delete(name), MemcachedConnection::receive);
    } else {
      requests().answer(Status.NOT_FOUND);
    }
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    for (int i = 0; i < keys.size(); i++) {
      sendUpdate(keys.get(i), values.get(i));
    }
    Status worst = Status.OK;
    for (int i = 0; i < keys.size(); i++) {
      Status status = receive(null);
      worst = status.isOk() ? worst : status;
    }
    return worst;
  }

  @Override
  public Status batchRead(List<byte[]> keys, List<ValueBuffer> values) {
    keys.forEach(this::sendRead);
    int failed = 0;
    int found = 0;
    for (ValueBuffer value : values) {
      Status status = receive(value);
      found += status.isOk() ? 1 : 0;
      failed += status.equals(Status.ERROR) ? 1 : 0;
    }
    return failed > 0 ? Status.ERROR : found > 0 ? Status.OK : Status.NOT_FOUND;
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    keys.forEach(this::sendDelete);
    Status worst = Status.OK;
    for (int i = 0; i < keys.size(); i++) {
      worst = receive(null).equals(Status.ERROR) ? Status.ERROR : worst;
    }
    return worst;
  }
}
