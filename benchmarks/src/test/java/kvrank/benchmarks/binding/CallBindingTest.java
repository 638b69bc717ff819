package kvrank.benchmarks.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import kvrank.binding.ByteSource;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import site.ycsb.DBException;
import site.ycsb.Status;

final class CallBindingTest {

  private static final AtomicInteger READS = new AtomicInteger();
  private static final AtomicInteger FAILING = new AtomicInteger();

  /** Counts its reads, of which one may fail. */
  public static final class Counting extends KeyValueBinding {

    /** Refuses properties that are not its own, as bindings do. */
    @Override
    public void init() throws DBException {
      if (!getProperties().stringPropertyNames().equals(Set.of("dir"))) {
        throw new DBException("unknown properties in " + getProperties());
      }
    }

    @Override
    public Status read(byte[] key, ValueBuffer value) {
      return READS.incrementAndGet() == FAILING.get() ? Status.NOT_FOUND : Status.OK;
    }

    @Override
    public Status scan(byte[] start, int limit, RecordBuffer records) {
      return Status.ERROR;
    }

    @Override
    public Status update(byte[] key, ByteSource value) {
      return Status.ERROR;
    }

    @Override
    public Status insert(byte[] key, ByteSource value) {
      return Status.ERROR;
    }

    @Override
    public Status delete(byte[] key) {
      return Status.ERROR;
    }
  }

  private final CallBinding binding = new CallBinding();

  @BeforeEach
  void open() throws DBException {
    READS.set(0);
    FAILING.set(0);
    Properties properties = new Properties();
    properties.putAll(CallBinding.properties(Counting.class.getName(), Map.of("dir", "data")));
    binding.setProperties(properties);
    binding.init();
  }

  @Test
  void aReadIsAThousandCalls() {
    assertThat(binding.read(new byte[1], new ValueBuffer())).isEqualTo(Status.OK);
    assertThat(READS).hasValue(1000);
  }

  @Test
  void aCallThatFailsIsTheReadsAnswer() {
    FAILING.set(7);
    assertThat(binding.read(new byte[1], new ValueBuffer())).isEqualTo(Status.NOT_FOUND);
    assertThat(READS).hasValue(7);
  }
}
