package kvrank.testkit;

import static kvrank.testkit.Records.bytes;
import static kvrank.testkit.Records.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvrank.binding.BatchOperations;
import kvrank.binding.ByteSource;
import kvrank.binding.KeyValueStore;
import kvrank.binding.Pipelined;
import kvrank.binding.ValueBuffer;
import kvrank.engine.Capability;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Records that the engine forgets after some seconds. */
interface TtlContract {

  /** With a clock of whole seconds a record may go up to one too early. */
  int SECONDS = 2;

  /** A record is still there, with half a second to read it. */
  long SOON_MILLIS = 500;

  /** What it has by then, beyond the coarsest clock's second. */
  long OVER_MILLIS = 3_500;

  Subject subject();

  /** A value with a time to live. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Expiring(byte[] bytes) implements ByteSource {

    @Override
    public int ttlSeconds() {
      return SECONDS;
    }

    @Override
    public int size() {
      return bytes.length;
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      System.arraycopy(bytes, 0, target, offset, bytes.length);
    }

    @Override
    public void copyTo(ByteBuffer target) {
      target.put(bytes);
    }
  }

  @Test
  default void aRecordIsGoneAfterItsTimeToLive() throws Exception {
    assumeTrue(subject().claims(Capability.TTL), "it does not claim times to live");
    DB binding = subject().open();
    KeyValueStore store = (KeyValueStore) binding;
    String key = subject().freshKey();
    byte[] value = {1, 2, 3};
    ByteSource expiring = new Expiring(value);
    long began = System.nanoTime();
    assertThat(store.insert(bytes(key + "stays"), source(value))).isEqualTo(Status.OK);
    assertThat(store.insert(bytes(key + "goes"), expiring)).isEqualTo(Status.OK);
    // The last value decides, however the previous one was written.
    assertThat(store.insert(bytes(key + "goes now"), source(value))).isEqualTo(Status.OK);
    assertThat(store.update(bytes(key + "goes now"), expiring)).isEqualTo(Status.OK);
    assertThat(store.insert(bytes(key + "stays now"), expiring)).isEqualTo(Status.OK);
    assertThat(store.update(bytes(key + "stays now"), source(value))).isEqualTo(Status.OK);
    List<byte[]> batch = Records.bytes(List.of(key + "batch goes", key + "batch stays"));
    if (subject().claims(Capability.BATCH)) {
      assertThat(((BatchOperations) binding).batchInsert(batch, List.of(expiring, source(value))))
          .isEqualTo(Status.OK);
    } else {
      store.insert(batch.get(0), expiring);
      store.insert(batch.get(1), source(value));
    }
    if (binding instanceof Pipelined pipeline) {
      pipeline.sendInsert(bytes(key + "sent goes"), expiring);
      pipeline.sendUpdate(bytes(key + "sent stays"), source(value));
      assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
      assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
    } else {
      store.insert(bytes(key + "sent goes"), expiring);
      store.insert(bytes(key + "sent stays"), source(value));
    }
    List<String> staying = List.of("stays", "stays now", "batch stays", "sent stays");
    List<String> going = List.of("goes", "goes now", "batch goes", "sent goes");
    for (String name : going) {
      Map<String, ByteIterator> record = new HashMap<>();
      Status status = binding.read(Records.TABLE, key + name, null, record);
      ValueBuffer buffer = new ValueBuffer();
      Status statusInBytes = store.read(bytes(key + name), buffer);
      // After a pause of the machine some may be gone.
      if (System.nanoTime() - began < TimeUnit.MILLISECONDS.toNanos(SOON_MILLIS)) {
        assertThat(status).as(name).isEqualTo(Status.OK);
        assertThat(Records.value(record)).as(name).isEqualTo(value);
        assertThat(statusInBytes).as("%s in bytes", name).isEqualTo(Status.OK);
        assertThat(buffer.toByteArray()).as("%s in bytes", name).isEqualTo(value);
      }
    }
    for (String name : staying) {
      assertThat(Records.read(binding, key + name)).as(name).isEqualTo(value);
    }
    Thread.sleep(OVER_MILLIS);
    for (String name : going) {
      assertThat(Records.statusOfRead(binding, key + name)).as(name).isEqualTo(Status.NOT_FOUND);
    }
    for (String name : staying) {
      assertThat(Records.read(binding, key + name)).as(name).isEqualTo(value);
    }
  }
}
