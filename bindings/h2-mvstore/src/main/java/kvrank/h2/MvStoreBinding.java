package kvrank.h2;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.TransactionBinding;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStore.TxCounter;
import org.h2.mvstore.type.ByteArrayDataType;

/**
 * H2's storage engine in this JVM. A write is acknowledged when its version is committed, which
 * writes its pages to the file; with the property {@code sync} they are on the device then.
 *
 * <p>Every call registers the version that it uses; H2 reuses the space of the others.
 */
public final class MvStoreBinding
    extends TransactionBinding<MvStoreBinding.Database, MVMap<byte[], byte[]>> {

  record Database(MVStore store, MVMap<byte[], byte[]> records, boolean sync)
      implements AutoCloseable {

    void commit() {
      store.commit();
      if (sync) {
        store.sync();
      }
    }

    @Override
    public void close() {
      // Versions are dropped where the store is free; that none is left is asserted as it closes.
      store.deregisterVersionUsage(store.registerVersionUsage());
      store.close();
    }
  }

  @Override
  protected Database open(Path directory) throws Exception {
    MVStore store =
        new MVStore.Builder()
            .fileName(directory.resolve("records.mv.db").toString())
            .cacheSize((int) (properties().number("cache-bytes", 0, Long.MAX_VALUE) >> 20))
            .open();
    store.setRetentionTime((int) properties().number("retention-millis", 0, Integer.MAX_VALUE));
    var types =
        new MVMap.Builder<byte[], byte[]>()
            .keyType(ByteArrayDataType.INSTANCE)
            .valueType(ByteArrayDataType.INSTANCE);
    return new Database(store, store.openMap("records", types), properties().flag("sync"));
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) {
    TxCounter version = database().store.registerVersionUsage();
    try {
      return value.wrap(database().records.get(key));
    } finally {
      database().store.deregisterVersionUsage(version);
    }
  }

  @Override
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) {
    TxCounter version = database().store.registerVersionUsage();
    try {
      for (int i = 0; i < keys.size(); i++) {
        values.get(i).wrap(database().records.get(keys.get(i)));
      }
    } finally {
      database().store.deregisterVersionUsage(version);
    }
  }

  @Override
  protected boolean write(Writes<MVMap<byte[], byte[]>> writes) {
    TxCounter version = database().store.registerVersionUsage();
    boolean found;
    try {
      found = writes.apply(database().records);
    } finally {
      database().store.deregisterVersionUsage(version);
    }
    database().commit();
    return found;
  }

  @Override
  protected void put(MVMap<byte[], byte[]> records, byte[] key, ByteSource value) {
    records.put(key.clone(), value.toByteArray());
  }

  @Override
  protected boolean remove(MVMap<byte[], byte[]> records, byte[] key) {
    return records.remove(key) != null;
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer found) {
    TxCounter version = database().store.registerVersionUsage();
    try {
      Cursor<byte[], byte[]> cursor = database().records.cursor(first);
      while (cursor.hasNext() && found.add(cursor.next(), cursor.getValue())) {}
    } finally {
      database().store.deregisterVersionUsage(version);
    }
  }

  @Override
  protected void scanBack(byte[] end, RecordBuffer found) {
    TxCounter version = database().store.registerVersionUsage();
    try {
      byte[] last = database().records.lowerKey(end);
      Cursor<byte[], byte[]> cursor =
          last == null ? null : database().records.cursor(last, null, true);
      while (cursor != null && cursor.hasNext() && found.add(cursor.next(), cursor.getValue())) {}
    } finally {
      database().store.deregisterVersionUsage(version);
    }
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws Exception {
    facts.put("version", versionOf(MVStore.class));
    facts.put("sync", database().sync);
    facts.put("cache-mebibytes", database().store.getCacheSize());
    facts.put("retention-millis", database().store.getRetentionTime());
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    reports.put("cache-used-mebibytes", database().store.getCacheSizeUsed());
    reports.put("fill-rate-percent", database().store.getFillRate());
    reports.put("versions", database().store.getCurrentVersion());
  }
}
