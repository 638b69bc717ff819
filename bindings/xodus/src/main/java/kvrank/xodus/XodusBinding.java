package kvrank.xodus;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.TransactionBinding;

/**
 * Xodus in this JVM. A write is an exclusive transaction, and so is a batch: others would be
 * repeated on a conflict. With the property {@code sync} it is on the device when it is
 * acknowledged.
 */
public final class XodusBinding extends TransactionBinding<XodusBinding.Database, Transaction> {

  record Database(Environment environment, Store records) implements AutoCloseable {

    @Override
    public void close() {
      environment.close();
    }
  }

  @Override
  protected Database open(Path directory) throws Exception {
    EnvironmentConfig config =
        new EnvironmentConfig()
            .setLogDurableWrite(properties().flag("sync"))
            .setLogSyncPeriod(properties().number("sync-interval-millis", 1, Integer.MAX_VALUE))
            .setMemoryUsage(properties().number("cache-bytes", 1, Long.MAX_VALUE));
    Environment environment = Environments.newInstance(directory.toFile(), config);
    return new Database(
        environment,
        environment.computeInTransaction(
            transaction ->
                environment.openStore("records", StoreConfig.WITHOUT_DUPLICATES, transaction)));
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) {
    return database()
        .environment
        .computeInReadonlyTransaction(transaction -> get(transaction, key, value));
  }

  @Override
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) {
    database()
        .environment
        .executeInReadonlyTransaction(
            transaction -> {
              for (int i = 0; i < keys.size(); i++) {
                get(transaction, keys.get(i), values.get(i));
              }
            });
  }

  private boolean get(Transaction transaction, byte[] key, ValueBuffer value) {
    ByteIterable found = database().records.get(transaction, new ArrayByteIterable(key));
    if (found == null) {
      return false;
    }
    value.wrap(bytes(found));
    return true;
  }

  @Override
  protected boolean write(Writes<Transaction> writes) {
    return database().environment.computeInExclusiveTransaction(writes::apply);
  }

  @Override
  protected void put(Transaction transaction, byte[] key, ByteSource value) {
    var name = new ArrayByteIterable(key.clone());
    database().records.put(transaction, name, new ArrayByteIterable(value.toByteArray()));
  }

  @Override
  protected boolean remove(Transaction transaction, byte[] key) {
    return database().records.delete(transaction, new ArrayByteIterable(key));
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer found) {
    database()
        .environment
        .executeInReadonlyTransaction(
            transaction -> {
              try (Cursor cursor = database().records.openCursor(transaction)) {
                boolean more = cursor.getSearchKeyRange(new ArrayByteIterable(first)) != null;
                while (more && found.add(bytes(cursor.getKey()), bytes(cursor.getValue()))) {
                  more = cursor.getNext();
                }
              }
            });
  }

  private static byte[] bytes(ByteIterable found) {
    return new ArrayByteIterable(found).getBytesUnsafe();
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws Exception {
    EnvironmentConfig config = database().environment.getEnvironmentConfig();
    facts.put("version", versionOf(Environments.class));
    facts.put("sync", config.getLogDurableWrite());
    facts.put("sync-interval-millis", config.getLogSyncPeriod());
    facts.put("cache-bytes", config.getMemoryUsage());
  }
}
