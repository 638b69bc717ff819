package kvrank.lmdb;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.TransactionBinding;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.Meta;
import org.lmdbjava.Txn;
import site.ycsb.DBException;

/**
 * LMDB in this JVM. A write is a transaction, and so is a batch; with the property {@code sync} its
 * pages are on the device when it is acknowledged. {@code map-bytes} is the largest size of the
 * file.
 */
public final class LmdbBinding extends TransactionBinding<Env<ByteBuffer>, Txn<ByteBuffer>> {

  private ByteBuffer key;
  private Dbi<ByteBuffer> records;
  private Txn<ByteBuffer> reader;

  @Override
  protected Env<ByteBuffer> open(Path directory) throws DBException {
    // With MDB_NOTLS a reader does not belong to the thread that made it.
    Set<EnvFlags> flags = EnumSet.of(EnvFlags.MDB_NOTLS);
    if (!properties().flag("sync")) {
      flags.add(EnvFlags.MDB_NOSYNC);
    }
    if (!properties().flag("read-ahead")) {
      flags.add(EnvFlags.MDB_NORDAHEAD);
    }
    return Env.create()
        .setMapSize(properties().number("map-bytes", 1, Long.MAX_VALUE))
        .setMaxReaders(4096)
        .open(directory.toFile(), flags.toArray(EnvFlags[]::new));
  }

  @Override
  protected void opened() {
    // A reverse scan starts at a key that is one byte longer.
    key = ByteBuffer.allocateDirect(database().getMaxKeySize() + 1);
    records = database().openDbi((byte[]) null);
    reader = database().txnRead();
    reader.reset();
  }

  @Override
  protected void closing() {
    reader.close();
  }

  @Override
  protected boolean get(byte[] name, ValueBuffer value) {
    reader.renew();
    try {
      return find(name, value);
    } finally {
      reader.reset();
    }
  }

  @Override
  protected void getAll(List<byte[]> names, List<ValueBuffer> values) {
    reader.renew();
    try {
      for (int i = 0; i < names.size(); i++) {
        find(names.get(i), values.get(i));
      }
    } finally {
      reader.reset();
    }
  }

  private boolean find(byte[] name, ValueBuffer value) {
    ByteBuffer found = records.get(reader, key(name));
    if (found != null) {
      value.put(found);
    }
    return found != null;
  }

  @Override
  protected boolean write(Writes<Txn<ByteBuffer>> writes) {
    try (var writer = database().txnWrite()) {
      boolean found = writes.apply(writer);
      writer.commit();
      return found;
    }
  }

  @Override
  protected void put(Txn<ByteBuffer> writer, byte[] name, ByteSource value) {
    // Straight into LMDB's page.
    value.copyTo(records.reserve(writer, key(name), value.size()));
  }

  @Override
  protected boolean remove(Txn<ByteBuffer> writer, byte[] name) {
    return records.delete(writer, key(name));
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer found) {
    reader.renew();
    try (var cursor = records.openCursor(reader)) {
      boolean more = cursor.get(key(first), GetOp.MDB_SET_RANGE);
      while (more && found.add(cursor.key(), cursor.val())) {
        more = cursor.next();
      }
    } finally {
      reader.reset();
    }
  }

  @Override
  protected void scanBack(byte[] end, RecordBuffer found) {
    reader.renew();
    try (var cursor = records.openCursor(reader)) {
      boolean more = cursor.get(key(end), GetOp.MDB_SET_RANGE) ? cursor.prev() : cursor.last();
      while (more && found.add(cursor.key(), cursor.val())) {
        more = cursor.prev();
      }
    } finally {
      reader.reset();
    }
  }

  private ByteBuffer key(byte[] name) {
    return key.clear().put(name).flip();
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws DBException {
    var version = Meta.version();
    facts.put("version", version.major + "." + version.minor + "." + version.patch);
    facts.put("sync", properties().flag("sync"));
    facts.put("read-ahead", properties().flag("read-ahead"));
    facts.put("map-bytes", database().info().mapSize);
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    reports.put("pages", database().info().lastPageNumber + 1);
    reports.put("transactions", database().info().lastTransactionId);
  }
}
