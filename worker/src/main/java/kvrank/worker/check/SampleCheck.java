package kvrank.worker.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import kvrank.binding.ValueBuffer;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.NoopBinding;
import kvrank.workload.Dataset;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceRequests;
import kvrank.workload.value.Value;
import site.ycsb.Status;

/** Reads records spread over the key space after a load and compares every byte. */
public final class SampleCheck {

  private static final int SAMPLE = 1_000;

  private final CallContext context;
  private final Value expected;
  private final byte[] key;
  private final ValueBuffer read;
  private int wrong;
  private int gone;
  private String finding = "";

  public SampleCheck(CallContext context) {
    this.context = context;
    this.expected = context.values().value();
    this.key = context.keys().newKey();
    this.read = context.newValueBuffer();
  }

  /** Reads up to {@value #SAMPLE} loaded records. */
  public Findings check(Dataset dataset) {
    if (context.binding() instanceof NoopBinding) {
      return new Findings(0, 0, "");
    }
    if (dataset.trace().isPresent()) {
      return check(dataset.trace().get());
    }
    long[] sample = spread(dataset.records(), SAMPLE).toArray();
    for (long id : sample) {
      expected.set(id, Value.FIRST_VERSION);
      checkRecord(id);
    }
    return new Findings(sample.length - gone, wrong, finding);
  }

  /**
   * Returns up to {@code most} numbers below {@code records}: first, last, and a random one of each
   * of equal parts, so that no regular fault escapes.
   */
  static LongStream spread(long records, int most) {
    long size = Math.min(most, records);
    SplittableRandom random = new SplittableRandom(records);
    // In two steps, since i * records may exceed a long.
    return LongStream.rangeClosed(1, size)
        .map(
            i -> {
              long end = records / size * i + records % size * i / size;
              long before = records / size * (i - 1) + records % size * (i - 1) / size;
              long any = random.nextLong(before, end);
              return i == 1 ? 0 : i == size ? records - 1 : any;
            });
  }

  private Findings check(Replay trace) {
    long[] sample = spread(trace.loaded(), SAMPLE).toArray();
    int size = 0;
    try (TraceRequests loads = TraceRequests.load(trace)) {
      for (long i = 0; size < sample.length && loads.next(1); i++) {
        if (i == sample[size]) {
          expected.set(loads, 0);
          checkRecord(loads.id(0));
          size++;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Findings(size - gone, wrong, finding);
  }

  /**
   * The result of a check.
   *
   * @param sample the records that were read, without evicted ones
   * @param wrong how many of them were missing or wrong
   * @param finding describes the last wrong one
   */
  public record Findings(int sample, int wrong, String finding) {}

  private void checkRecord(long id) {
    context.keys().write(id, key);
    String said = context.look(key, read);
    boolean mayBeGone = context.dataset().evicts() || expected.ttlSeconds() > 0;
    if (mayBeGone && said.equals(Status.NOT_FOUND.getName())) {
      gone++;
    } else if (!said.equals(Status.OK.getName())) {
      wrong(said);
    } else if (!read.isPresent() || !expected.equalTo(read.array(), 0, read.length())) {
      wrong("not the value that was inserted");
    }
  }

  private void wrong(String what) {
    wrong++;
    finding = "read " + KeyFormat.text(key) + ": " + what;
  }
}
