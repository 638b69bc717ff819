package kvrank.worker.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.worker.Run;
import kvrank.worker.Specs;
import kvrank.worker.YcsbMemory;
import kvrank.worker.protocol.PhaseResult;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

/** A binding that was written for YCSB. */
final class YcsbStoreTest {

  @TempDir private Path folder;

  @Test
  void isDrivenByYcsbsApi() {
    YcsbMemory binding = new YcsbMemory();
    Properties properties = new Properties();
    properties.setProperty("store", folder.toString());
    binding.setProperties(properties);
    YcsbStore store = new YcsbStore(binding, "table");
    ValueBuffer value = new ValueBuffer();

    assertThat(store.read(bytes("k1"), value)).isEqualTo(Status.NOT_FOUND);
    assertThat(value.isPresent()).isFalse();
    assertThat(store.insert(bytes("k1"), ByteSource.of(bytes("one")))).isEqualTo(Status.OK);
    assertThat(store.insert(bytes("k2"), ByteSource.of(new byte[0]))).isEqualTo(Status.OK);
    assertThat(store.update(bytes("k1"), ByteSource.of(bytes("two")))).isEqualTo(Status.OK);
    assertThat(store.read(bytes("k1"), value)).isEqualTo(Status.OK);
    assertThat(value.toByteArray()).isEqualTo(bytes("two"));
    assertThat(store.read(bytes("k2"), value)).isEqualTo(Status.OK);
    assertThat(value.toByteArray()).isEmpty();
    RecordBuffer records = new RecordBuffer();
    assertThat(store.scan(bytes("k"), 5, records)).isEqualTo(Status.OK);
    assertThat(records.size()).isEqualTo(2);
    assertThat(store.delete(bytes("k1"))).isEqualTo(Status.OK);
    assertThat(store.delete(bytes("k1"))).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  void aRunVerifiesWhatItReads() throws Exception {
    Map<Operation, Integer> mix =
        Map.of(
            Operation.READ, 2,
            Operation.UPDATE, 1,
            Operation.READ_MODIFY_WRITE, 1,
            Operation.RANGE_SCAN, 1);
    Run run =
        Run.of(
            new Specs(folder)
                .binding(YcsbMemory.class)
                .load(Distribution.RANDOM, 2, 1)
                .mix(mix, 2, 1, 2_000));
    run.assertAllOk("load", Operation.INSERT, 1000);
    assertThat(run.result("load").facts().asMap()).containsEntry("sample", "1000");
    PhaseResult result = run.result("mix1");
    assertThat(result.operations().values()).allMatch(count -> count.errors().isEmpty());
    assertThat(result.incorrect()).isZero();
  }

  @Test
  void aRunFindsWhatIsWrong() throws Exception {
    Run run =
        Run.of(
            new Specs(folder)
                .binding(YcsbMemory.class)
                .property("fault", "reads another")
                .load(Distribution.RANDOM, 1, 1)
                .mix(Map.of(Operation.READ, 1), 1, 1, 100));
    assertThat(run.result("mix1").incorrect()).isEqualTo(100);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
