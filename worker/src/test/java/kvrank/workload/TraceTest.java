package kvrank.workload;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalSchedule;
import kvrank.workload.pace.ArrivalScheduleTest;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.trace.Recorded;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceException;
import kvrank.workload.trace.TraceHeader;
import kvrank.workload.trace.TraceParts;
import kvrank.workload.trace.TraceReader;
import kvrank.workload.trace.TraceWriter;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {

  private static final int REQUESTS = 100_000;
  private static final ValueSizes SIZES = ValueSizes.between(1, 300, ValueSizes.Spread.UNIFORM);

  @TempDir private Path folder;

  private record Request(
      long micros,
      Operation operation,
      long id,
      int keyBytes,
      int valueBytes,
      long ttlMillis,
      Recorded recorded) {}

  /** Requests of keys that are asked by the square of a uniform number, and of any operation. */
  private static List<Request> requests() {
    SplittableRandom random = new SplittableRandom(1);
    Map<Long, Long> numbers = new HashMap<>();
    List<Request> requests = new ArrayList<>();
    List<Operation> operations =
        List.of(
            Operation.READ,
            Operation.INSERT,
            Operation.UPDATE,
            Operation.READ_MODIFY_WRITE,
            Operation.DELETE);
    List<Recorded> recorded = List.of(Recorded.values());
    long micros = 77;
    for (int i = 0; i < REQUESTS; i++) {
      double draw = random.nextDouble();
      long known = numbers.size();
      long id = numbers.computeIfAbsent((long) (draw * draw * 20_000), any -> known);
      Operation operation = operations.get(random.nextInt(5));
      boolean writes = operation.storesValue();
      requests.add(
          new Request(
              micros,
              operation,
              id,
              id == known ? random.nextInt(1, 200) : 0,
              writes ? random.nextInt(1, 300) : 0,
              writes ? random.nextInt(3) * 86_400_000L : 0,
              operation == Operation.READ ? recorded.get(random.nextInt(3)) : Recorded.UNKNOWN));
      micros += random.nextLong(4) * random.nextInt(1_000);
    }
    return requests;
  }

  private Path write(List<Request> requests) throws IOException {
    Path file = folder.resolve("some.trace");
    Set<Long> written = new HashSet<>();
    Map<Long, Integer> loads = new java.util.TreeMap<>();
    try (TraceWriter out = new TraceWriter(file)) {
      for (Request r : requests) {
        out.request(r.micros, r.operation, r.id, r.keyBytes, r.valueBytes, r.ttlMillis, r.recorded);
        if (r.operation != Operation.INSERT && r.operation != Operation.UPDATE) {
          if (!written.contains(r.id)) {
            loads.putIfAbsent(r.id, (int) (r.id % 100) + 16);
          }
        } else {
          written.add(r.id);
        }
      }
      for (Map.Entry<Long, Integer> load : loads.entrySet()) {
        out.length(load.getKey(), load.getValue(), load.getKey() % 3 > 0);
      }
      out.end("some-format", true, SIZES);
    }
    return file;
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    List<Request> requests = requests();
    Path file = write(requests);
    TraceHeader header = TraceHeader.read(file);
    long keys = requests.stream().mapToLong(Request::id).distinct().count();
    assertThat(header.source()).isEqualTo("some-format");
    assertThat(header.timed()).isTrue();
    assertThat(header.requests()).isEqualTo(REQUESTS);
    assertThat(header.keys()).isEqualTo(keys);
    assertThat(header.sizes()).isEqualTo(SIZES);
    assertThat(header.micros()).isEqualTo(requests.get(REQUESTS - 1).micros - 77);
    assertThat(header.keyBytes())
        .isEqualTo((double) requests.stream().mapToLong(Request::keyBytes).sum() / keys);
    List<Request> read = new ArrayList<>();
    try (TraceReader in = TraceReader.requests(file)) {
      while (in.next()) {
        read.add(
            new Request(
                in.micros() + 77,
                in.operation(),
                in.id(),
                in.keyBytes(),
                in.valueBytes(),
                in.ttlMillis(),
                in.recorded()));
      }
    }
    assertThat(read).isEqualTo(requests);
    try (TraceReader in = TraceReader.lengths(file)) {
      long lengths = 0;
      long loaded = 0;
      for (; in.next(); lengths++) {
        assertThat(in.valueBytes()).isEqualTo(in.id() % 100 + 16);
        assertThat(in.existed()).isEqualTo(in.id() % 3 > 0);
        loaded += in.existed() ? 1 : 0;
      }
      assertThat(lengths).isEqualTo(header.lengths()).isGreaterThan(loaded);
      assertThat(loaded).isEqualTo(header.loaded()).isPositive();
    }
  }

  @Test
  void aTraceOfNothingHasNothing() throws IOException {
    Path file = write(List.of());
    try (TraceReader in = TraceReader.requests(file)) {
      assertThat(in.next()).isFalse();
    }
    assertThat(Replay.of(file, 0, 1, 1).replay().requests()).isZero();
  }

  @Test
  void anyByteThatIsChangedIsFound() throws IOException {
    Path file = write(requests());
    byte[] whole = Files.readAllBytes(file);
    long loads = TraceHeader.read(file).loads();
    SplittableRandom random = new SplittableRandom(2);
    Set<String> places = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      // The rest of the header's block is blank.
      int at = random.nextInt(10) == 0 ? random.nextInt(200) : random.nextInt(4096, whole.length);
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      assertThatThrownBy(() -> Replay.of(file, 0, 1, 1))
          .as("byte %s", at)
          .isInstanceOf(TraceException.class)
          .hasMessageStartingWith(file + ": ")
          .satisfies(e -> places.add(e.getMessage()));
    }
    assertThat(places)
        .anyMatch(place -> place.contains("byte 0: its header is damaged"))
        .anyMatch(place -> place.contains("byte 4,096: the trace is damaged here"))
        .anyMatch(place -> place.contains("byte %,d: the trace is damaged".formatted(loads)));
  }

  @Test
  void aFileThatIsGoneIsRefusedByName() {
    Path gone = folder.resolve("gone.trace");
    assertThatThrownBy(() -> TraceHeader.read(gone))
        .isInstanceOf(TraceException.class)
        .hasMessage(gone + ": there is no such file");
  }

  @Test
  void aTruncatedFileIsRefusedWithItsLength() throws IOException {
    Path file = write(requests());
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {4_096, 100_000, whole.length - 1}) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> TraceReader.requests(file))
          .isInstanceOf(TraceException.class)
          .hasMessage(
              "%s: byte %,d: it ends here, not after %,d bytes; copy or import it again"
                  .formatted(file, length, whole.length));
    }
    Files.writeString(file, "question: Which?\n");
    assertThatThrownBy(() -> TraceReader.requests(file))
        .hasMessageContaining(
            "is not a kvrank trace; convert the recording with 'kvrank trace import'");
    byte[] newer = whole.clone();
    newer[13] = '7';
    Files.write(file, newer);
    assertThatThrownBy(() -> TraceReader.requests(file)).hasMessageContaining("of version '7'");
  }

  /** What a thread asks: number, record, operation and length, and when. */
  private record Asked(long number, long id, Operation operation, int bytes, long due) {}

  private List<Asked> asked(Replay replay, int thread, int threads) throws IOException {
    TraceParts parts = TraceParts.of(replay, false, threads, Long.MAX_VALUE, folder);
    Requests requests = parts.requests(thread, 1);
    ArrivalSchedule times = parts.schedule(thread);
    List<Asked> asked = new ArrayList<>();
    while (requests.next(1)) {
      long due = replay.paced() ? times.due(asked.size()) : 0;
      asked.add(
          new Asked(
              requests.version(0), requests.id(0), requests.operation(), requests.bytes(0), due));
    }
    parts.close();
    assertThat(folder).isDirectoryNotContaining("glob:**.parts");
    assertThat(replay.paced() ? times.due(asked.size()) : Long.MAX_VALUE).isEqualTo(Long.MAX_VALUE);
    return asked;
  }

  @Test
  void threadsShareTheRequestsByRecord() throws IOException {
    List<Request> requests = requests();
    Replay replay = Replay.of(write(requests), 10, 1, 1).replay();
    List<Asked> all = asked(replay, 0, 1);
    assertThat(all).hasSize(REQUESTS);
    for (int i = 0; i < REQUESTS; i++) {
      Request request = requests.get(i);
      assertThat(all.get(i))
          .isEqualTo(
              new Asked(
                  i + 1,
                  request.id,
                  request.operation,
                  request.valueBytes,
                  (request.micros - 77) * 100));
    }
    List<Asked> shared = new ArrayList<>();
    Map<Long, Integer> owners = new HashMap<>();
    for (int thread = 0; thread < 5; thread++) {
      for (Asked each : asked(replay, thread, 5)) {
        assertThat(owners.merge(each.id, thread, (was, is) -> was)).isEqualTo(thread);
        shared.add(each);
      }
    }
    assertThat(counted(shared)).isEqualTo(counted(all));
    TraceParts parts = TraceParts.of(replay, false, 5, Long.MAX_VALUE, folder);
    assertThat(ArrivalScheduleTest.dueBefore(parts.schedule(3), 1_000_000_000))
        .isEqualTo(asked(replay, 3, 5).stream().filter(each -> each.due < 1_000_000_000).count());
  }

  /** A paced replay filled with what the trace writes next. */
  @Test
  void aMissIsFilledWithWhatWasWrittenBeforeIt() throws IOException {
    Path file = folder.resolve("fill.trace");
    try (TraceWriter out = new TraceWriter(file)) {
      out.request(0, Operation.READ, 0, 9, 0, 0);
      out.request(1, Operation.UPDATE, 0, 0, 500, 0);
      out.load(0, 100);
      out.end("test", true, SIZES);
    }
    for (double speed : new double[] {0, 1}) {
      TraceParts parts =
          TraceParts.of(Replay.of(file, speed, 1, 1).replay(), false, 1, Long.MAX_VALUE, folder);
      parts.fill();
      Requests requests = parts.requests(0, 1);
      requests.next(1);
      parts.schedule(0).due(1);
      requests.missed(0);
      requests.next(1);

      assertThat(requests.operation()).isEqualTo(Operation.FILL);
      assertThat(requests.bytes(0)).isEqualTo(100);
      parts.close();
    }
  }

  private static Map<Asked, Long> counted(List<Asked> requests) {
    return requests.stream().collect(groupingBy(request -> request, counting()));
  }

  @Test
  void timesToLiveAreDividedByTheSpeedUpToTheNextSecond() throws IOException {
    Path file = write(requests());
    long[] recorded = {0, 1, 65_000, 70_000, 40L * 86_400_000};
    int[][] expected = {
      {0, 1, 65, 70, 2_592_000}, {0, 1, 65, 70, 2_592_000}, {0, 1, 7, 7, 345_600}
    };
    for (int i = 0; i < 3; i++) {
      Replay replay = Replay.of(file, new int[] {0, 1, 10}[i], 1, 1).replay();
      assertThat(replay.expires()).isTrue();
      assertThat(LongStream.of(recorded).mapToInt(replay::ttlSeconds).toArray())
          .containsExactly(expected[i]);
      assertThat(LongStream.of(recorded).mapToInt(replay.lasting()::ttlSeconds).max()).hasValue(0);
    }
    assertThat(Replay.of(write(List.of()), 1, 1, 1).replay().expires()).isFalse();
  }

  @Test
  void aSampleHasAllRequestsOfItsKeysAndACopyHasThoseOfTheKey() throws IOException {
    List<Request> requests = requests();
    Path file = write(requests);
    Replay.Contents tenth = Replay.of(file, 1, 10, 1);
    List<Asked> sampled = asked(tenth.replay(), 0, 1);
    Map<Long, Long> perKey = new LinkedHashMap<>();
    requests.forEach(each -> perKey.merge(each.id, 1L, Long::sum));
    Map<Long, Long> perRecord = new HashMap<>();
    sampled.forEach(each -> perRecord.merge(each.id, 1L, Long::sum));
    assertThat(tenth.replay().records()).isEqualTo((perKey.size() + 9) / 10);
    perRecord.forEach(
        (record, count) ->
            assertThat(perKey.entrySet())
                .filteredOn(each -> each.getKey() / 10 == record && each.getValue().equals(count))
                .isNotEmpty());
    assertThat((double) perRecord.size()).isCloseTo(perKey.size() / 10.0, within(1.0));
    assertThat(tenth.replay().requests()).isEqualTo(sampled.size());
    assertThat(tenth.operations().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(sampled.size());
    Replay three = Replay.of(file, 1, 1, 3).replay();
    List<Asked> copied = asked(three, 0, 1);
    assertThat(three.records()).isEqualTo(3L * perKey.size());
    assertThat(copied)
        .hasSize(3 * REQUESTS)
        .isSortedAccordingTo((a, b) -> Long.compare(a.due, b.due));
    for (int copy = 0; copy < 3; copy++) {
      int shift = copy;
      assertThat(copied.stream().filter(each -> each.id % 3 == shift).map(each -> each.id / 3))
          .containsExactlyElementsOf(requests.stream().map(Request::id).toList());
    }
  }

  @Test
  void eachRecordThatIsThereBeforeIsLoadedOnce() throws IOException {
    Path file = write(requests());
    long loaded = TraceHeader.read(file).loaded();
    for (int[] keys : new int[][] {{1, 1}, {10, 1}, {1, 3}}) {
      Replay replay = Replay.of(file, 0, keys[0], keys[1]).replay();
      Set<Long> ids = new HashSet<>();
      TraceParts parts = TraceParts.of(replay, true, 4, Long.MAX_VALUE, folder);
      for (int thread = 0; thread < 4; thread++) {
        Requests load = parts.requests(thread, 7);
        while (load.next(5)) {
          assertThat(load.operation()).isEqualTo(Operation.INSERT);
          assertThat(load.size()).isBetween(1, 5);
          for (int i = 0; i < load.size(); i++) {
            assertThat(ids.add(load.id(i))).isTrue();
            assertThat(load.version(i)).isEqualTo(Value.FIRST_VERSION);
            assertThat(load.bytes(i)).isPositive();
          }
        }
      }
      assertThat(ids).hasSize((int) replay.loaded());
      assertThat((double) replay.loaded())
          .isCloseTo((double) loaded / keys[0] * keys[1], within(0.2 * loaded / keys[0]));
    }
  }

  @Test
  void aValueOfAStatedLengthIsKnownAgain() throws IOException {
    Replay replay = Replay.of(write(requests()), 0, 1, 1).replay();
    Dataset records =
        new Dataset(
            10, KeyShape.DEFAULT, ValueShape.fixed(300), false, java.util.Optional.of(replay));
    Value value = new ValueSource(records, 3).value();
    Value reader = new ValueSource(records, 3).value();
    for (int bytes : new int[] {16, 17, 299}) {
      value.set(7, 5, bytes);
      byte[] written = value.toByteArray();
      assertThat(written).hasSize(bytes);
      assertThat(reader.matches(written, 0, bytes, 7)).isTrue();
      assertThat(reader.matches(written, 0, bytes, 8)).isFalse();
      assertThat(reader.matches(written, 0, bytes - 1, 7)).isFalse();
      written[bytes - 1] ^= 1;
      assertThat(reader.matches(written, 0, bytes, 7)).isFalse();
    }
    value.set(7, 5, 3);
    assertThat(value.size()).isEqualTo(3);
    // What no trace states, as the proof of durability writes it, is drawn.
    value.set(7, 5);
    assertThat(reader.matches(value.toByteArray(), 0, value.size(), 7)).isTrue();
  }
}
