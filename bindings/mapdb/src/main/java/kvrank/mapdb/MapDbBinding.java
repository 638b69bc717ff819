package kvrank.mapdb;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import kvrank.binding.RecordBuffer;
import kvrank.binding.embedded.MapBinding;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/**
 * MapDB's B tree in this JVM, with its write-ahead log. A write is a commit, and so is a batch. The
 * file is not memory-mapped: reads would be ten times as fast, but a write would need three flushes
 * instead of two.
 */
public final class MapDbBinding extends MapBinding<MapDbBinding.Database> {

  record Database(DB file, BTreeMap<byte[], byte[]> records) implements AutoCloseable {

    @Override
    public void close() {
      file.close();
    }
  }

  @Override
  protected Database open(Path directory) {
    DB file = DBMaker.fileDB(directory.resolve("records.db").toFile()).transactionEnable().make();
    return new Database(
        file, file.treeMap("records", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY).createOrOpen());
  }

  @Override
  protected Map<byte[], byte[]> records() {
    return database().records;
  }

  @Override
  protected void commit() {
    database().file.commit();
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer found) {
    Iterator<Map.Entry<byte[], byte[]>> records =
        database().records.entryIterator(first, true, null, false);
    boolean more = true;
    while (more && records.hasNext()) {
      Map.Entry<byte[], byte[]> next = records.next();
      more = found.add(next.getKey(), next.getValue());
    }
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws Exception {
    facts.put("version", versionOf(DB.class));
  }
}
