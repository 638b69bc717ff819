package kvrank.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentSkipListMap;
import kvrank.binding.ErrorLog;
import kvrank.binding.KeyCount;
import kvrank.worker.MemoryBinding;
import kvrank.worker.Specs;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.key.KeyShape;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DB;
import site.ycsb.Status;

class OwnKeysTest {

  private static final KeyShape SHAPE = new KeyShape(20, 10).under("kvrank:1:");
  private static final byte[] VALUE = {1};

  @TempDir private Path folder;

  private final List<WorkerMessage> reports = new ArrayList<>();

  @Test
  void removesWhatTheRunInsertedAndNothingElse() throws Exception {
    Specs specs = new Specs(folder).keys(SHAPE).mix(Map.of(Operation.INSERT, 1), 3, 1, 2_500);
    ConcurrentSkipListMap<String, byte[]> store = MemoryBinding.store(folder.toString());
    KeyFormat keys = new KeyFormat(SHAPE);
    // Of three threads, one got further than the others.
    for (long id = 0; id < 12_000; id += id < 4_000 ? 1 : 3) {
      store.put(keys.key(id), VALUE);
    }
    List<String> foreign = List.of("00000000000000000001", "kvrank:2:00000000001", "theirs");
    foreign.forEach(key -> store.put(key, VALUE));

    own(specs, new MemoryBinding()).remove();

    assertThat(store.keySet()).containsExactlyElementsOf(foreign);
  }

  @Test
  void aPrefixOfItsOwnIsClaimedWithWhatAKilledRunLeftUnderIt() throws Exception {
    ConcurrentSkipListMap<String, byte[]> store = MemoryBinding.store(folder.toString());
    store.put("theirs", VALUE);
    store.put(new KeyFormat(SHAPE).key(7), VALUE);

    own(new Specs(folder).keys(SHAPE), new MemoryBinding()).claim();

    assertThat(store).containsOnlyKeys("theirs");
  }

  @Test
  void withoutAPrefixOnlyAnEmptyServerIsClaimed() throws Exception {
    Specs specs = new Specs(folder).keys(new KeyShape(20, 10));
    OwnKeys empty = own(specs, new Counting());
    empty.claim();
    MemoryBinding.store(folder.toString()).put("theirs", VALUE);

    assertThatThrownBy(empty::claim)
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("is not empty: it holds 1 key; nothing was written")
        .hasMessageContaining("may-share: true");
    assertThatThrownBy(own(specs, new MemoryBinding())::claim)
        .hasMessageContaining("cannot check whether");
  }

  @Test
  void aServerThatRefusesRemovalsIsNotWrittenTo() throws Exception {
    for (KeyShape shape : List.of(new KeyShape(20, 10), SHAPE)) {
      ErrorLog.standard().reset();

      assertThatThrownBy(own(new Specs(folder).keys(shape), new Refusing())::claim)
          .isInstanceOf(WorkerException.class)
          .hasMessage(
              "kvrank's own keys could not be deleted: ERROR: h:1: NOPERM no 'del' (x1); nothing"
                  + " was written");
    }
    ErrorLog.standard().reset();
  }

  @Test
  void aServerThatWasEmptyAndIsNotAnyMoreIsSaidSo() throws Exception {
    OwnKeys own = own(new Specs(folder).keys(new KeyShape(20, 10)), new Keeping());
    own.claim();
    MemoryBinding.store(folder.toString()).put(new KeyFormat(SHAPE).key(0), VALUE);

    assertThatThrownBy(own::remove)
        .isInstanceOf(WorkerException.class)
        .hasMessage("it was empty before, and holds 1 key now");
  }

  private OwnKeys own(Specs specs, DB binding) throws Exception {
    WorkerSpec spec = specs.spec();
    Properties properties = new Properties();
    properties.putAll(spec.properties());
    binding.setProperties(properties);
    binding.init();
    return new OwnKeys(spec, binding, reports::add);
  }

  /** Is empty, and removes nothing. */
  public static final class Refusing extends MemoryBinding implements KeyCount {

    @Override
    public Status batchDelete(List<byte[]> keys) {
      ErrorLog.standard().report("h:1: NOPERM no 'del'");
      return Status.ERROR;
    }

    @Override
    public long keyCount() {
      return 0;
    }
  }

  /** Says that it deleted, and keeps. */
  public static final class Keeping extends MemoryBinding implements KeyCount {

    @Override
    public Status batchDelete(List<byte[]> keys) {
      return Status.OK;
    }

    @Override
    public long keyCount() {
      return records().size();
    }
  }

  /** Counts its records. */
  public static final class Counting extends MemoryBinding implements KeyCount {

    @Override
    public long keyCount() {
      return records().size();
    }
  }
}
