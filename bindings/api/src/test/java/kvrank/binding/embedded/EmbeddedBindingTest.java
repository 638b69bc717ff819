package kvrank.binding.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DBException;
import site.ycsb.Status;

final class EmbeddedBindingTest {

  private final AtomicInteger threads = new AtomicInteger();

  private Database last;

  @TempDir Path folder;

  @Test
  void theThreadsShareADatabaseAndTheLastOneClosesIt() throws Exception {
    Texts first = open("a");
    Texts second = open("a");
    Texts other = open("b");
    assertThat(second.shared()).isSameAs(first.shared()).isNotSameAs(other.shared());
    assertThat(folder.resolve("a")).isDirectory();
    Database database = first.shared();
    first.cleanup();
    first.cleanup();
    assertThat(database.closed).isFalse();
    assertThat(second.insert(bytes("k"), ByteSource.of(bytes("v")))).isEqualTo(Status.OK);
    second.cleanup();
    assertThat(database.closed).isTrue();
    Texts again = open("a");
    assertThat(again.shared()).isNotSameAs(database);
    again.cleanup();
    other.cleanup();
    assertThat(threads).hasValue(0);
  }

  @Test
  void aThreadThatFailsToStartLeavesNothingOpen() throws Exception {
    assertThatThrownBy(() -> open("a", "refuse-thread", "true"))
        .isInstanceOf(DBException.class)
        .hasMessage("Texts: no more readers");
    open("a").cleanup();
    assertThatThrownBy(() -> open("a", "refuse-thread", "close"))
        .hasMessage("Texts: no more readers")
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed())
                    .singleElement()
                    .asString()
                    .contains("closing: it is stuck"));
  }

  /** Such as a typing error in an engine.yaml. */
  @Test
  void aPropertyThatIsNotReadIsAnError() throws Exception {
    assertThatThrownBy(() -> open("a", "snyc", "true"))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll("'snyc'", "dir, refuse, refuse-thread, sync");
    assertThat(last.closed).isTrue();
    open("a").cleanup();
  }

  @Test
  void threadsMayComeAndGoConcurrently() throws Exception {
    int threads = 8;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CyclicBarrier together = new CyclicBarrier(threads);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(
            executor.submit(
                () -> {
                  for (int round = 0; round < 10; round++) {
                    together.await(5, TimeUnit.MINUTES);
                    Texts binding = open("a");
                    assertThat(binding.insert(bytes("k"), ByteSource.of(bytes("v"))))
                        .isEqualTo(Status.OK);
                    binding.cleanup();
                  }
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get(5, TimeUnit.MINUTES);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void otherSettingsForTheSameFolderAreRefused() throws Exception {
    Texts binding = open("a");
    assertThatThrownBy(() -> open("a", "sync", "true"))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll(folder.resolve("a").toString(), "settings");
    binding.cleanup();
    open("a", "sync", "true").cleanup();
  }

  @Test
  void theReasonWhyADatabaseCannotBeOpenedIsReported() throws Exception {
    assertThatThrownBy(() -> open("a", "refuse", "locked by another process"))
        .isInstanceOf(DBException.class)
        .hasMessage(folder.resolve("a") + ": locked by another process");
    assertThatThrownBy(() -> open("a", "sync", "yes"))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll("'sync'", "'yes'", "true or false");
    assertThatThrownBy(() -> open("a", "refuse", "nothing"))
        .isInstanceOf(DBException.class)
        .hasMessageContainingAll(Texts.class.getName(), "open");
    Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> open("file"))
        .isInstanceOf(DBException.class)
        .hasMessageContaining("file");
    open("a").cleanup();
  }

  @Test
  void exceptionsAndMissingOperationsAreAStatus() throws Exception {
    Texts binding = open("a");
    assertThat(binding.read(bytes("broken"), new ValueBuffer())).isEqualTo(Status.ERROR);
    assertThat(binding.scan(bytes("k"), 1, new RecordBuffer())).isEqualTo(Status.NOT_IMPLEMENTED);
    assertThat(binding.prefixScan(bytes("k"), 1, new RecordBuffer()))
        .isEqualTo(Status.NOT_IMPLEMENTED);
    List<byte[]> keys = List.of(bytes("k"));
    assertThat(binding.batchDelete(keys)).isEqualTo(Status.NOT_IMPLEMENTED);
    assertThat(binding.batchInsert(keys, List.of(ByteSource.of(bytes("v")))))
        .isEqualTo(Status.NOT_IMPLEMENTED);
    assertThat(binding.reports()).isEmpty();
    assertThat(binding.facts()).containsEntry("records", "0").containsEntry("unknown", "no answer");
    binding.cleanup();
  }

  private Texts open(String name, String... more) throws DBException {
    Properties properties = new Properties();
    properties.setProperty("dir", folder.resolve(name).toString());
    for (int i = 0; i < more.length; i += 2) {
      properties.setProperty(more[i], more[i + 1]);
    }
    Texts binding = new Texts();
    binding.setProperties(properties);
    binding.init();
    return binding;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static final class Database implements AutoCloseable {
    private final Map<String, byte[]> records = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private boolean stuck;

    @Override
    public void close() {
      closed = true;
      if (stuck) {
        throw new IllegalStateException("it is stuck");
      }
    }
  }

  /** The smallest possible engine. */
  private final class Texts extends EmbeddedBinding<Database> {

    private boolean refuseThread;

    private Database shared() {
      return database();
    }

    @Override
    protected Database open(Path directory) throws Exception {
      String refused = properties().text("refuse", "");
      if (refused.equals("nothing")) {
        return null;
      }
      if (!refused.isEmpty()) {
        throw new IllegalStateException(refused);
      }
      if (!properties().text("sync", "").isEmpty()) {
        properties().flag("sync");
      }
      String thread = properties().text("refuse-thread", "");
      refuseThread = !thread.isEmpty();
      last = new Database();
      last.stuck = thread.equals("close");
      return last;
    }

    @Override
    protected boolean get(byte[] key, ValueBuffer value) throws Exception {
      if (new String(key, UTF_8).equals("broken")) {
        throw new Exception("broken");
      }
      return value.wrap(database().records.get(new String(key, UTF_8)));
    }

    @Override
    protected void put(byte[] key, ByteSource value) {
      if (database().closed) {
        throw new IllegalStateException("closed");
      }
      database().records.put(new String(key, UTF_8), value.toByteArray());
    }

    @Override
    protected boolean remove(byte[] key) {
      return database().records.remove(new String(key, UTF_8)) != null;
    }

    @Override
    protected void addFacts(Map<String, Object> facts) throws Exception {
      facts.put("records", database().records.size());
      throw new Exception("no answer");
    }

    @Override
    protected void opened() throws Exception {
      if (refuseThread) {
        throw new Exception("no more readers");
      }
      threads.incrementAndGet();
    }

    @Override
    protected void closing() throws Exception {
      if (database().closed) {
        throw new IllegalStateException("closed");
      }
      threads.decrementAndGet();
    }
  }
}
