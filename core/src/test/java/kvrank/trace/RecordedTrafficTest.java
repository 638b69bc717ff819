package kvrank.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.workload.request.Labelled;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceException;
import kvrank.workload.trace.TraceParts;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The same requests in each format, with the hits of an LRU cache that is written here. */
class RecordedTrafficTest {

  private static final int KEYS = 2_000;
  private static final int REQUESTS = 40_000;

  @TempDir private Path folder;

  private enum Kind {
    GET,
    SET,
    DELETE
  }

  /** A request, and of a GET whether the recorded cache had the key. */
  private record Request(int second, Kind kind, int key, boolean hit) {}

  /**
   * A format of recordings.
   *
   * @param recording writes requests in the format
   * @param kinds the requests that it can express
   * @param results whether it has results of reads
   * @param lengths whether keys have values of different lengths
   * @param keyBytes the length of a key
   */
  private record Format(
      String name,
      Function<List<Request>, byte[]> recording,
      Set<Kind> kinds,
      boolean results,
      boolean lengths,
      int keyBytes) {

    private int bytes(int key) {
      return lengths ? 50 + key % 300 : 100;
    }

    private byte[] bytes(List<Request> requests) {
      return recording.apply(requests);
    }
  }

  private static final Set<Kind> ALL = Set.of(Kind.values());
  private static final Set<Kind> READS = Set.of(Kind.GET);

  private static Function<List<Request>, byte[]> lines(
      String header, Function<Request, String> line) {
    return requests ->
        (header + requests.stream().map(line).collect(Collectors.joining("\n", "", "\n")))
            .getBytes(UTF_8);
  }

  private static String key(int key) {
    return "k%08d".formatted(key);
  }

  /** The length in a line of formats with results: of a miss 0. */
  private static int length(Request request) {
    return request.kind == Kind.SET || request.hit ? size(request) : 0;
  }

  private static int size(Request request) {
    return 50 + request.key % 300;
  }

  private static String word(Request request, String get, String set, String delete) {
    return switch (request.kind) {
      case GET -> get;
      case SET -> set;
      case DELETE -> delete;
    };
  }

  private static byte[] oracle(List<Request> requests) {
    Map<Integer, Long> later = new HashMap<>();
    ByteBuffer bytes = ByteBuffer.allocate(24 * requests.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = requests.size() - 1; i >= 0; i--) {
      Request request = requests.get(i);
      bytes
          .putInt(24 * i, request.second)
          .putLong(24 * i + 4, 0x9E3779B97F4A7C15L * (request.key + 1))
          .putInt(24 * i + 12, size(request))
          .putLong(24 * i + 16, later.getOrDefault(request.key, -1L));
      later.put(request.key, (long) i + 1);
    }
    return bytes.array();
  }

  private static final List<Format> FORMATS =
      List.of(
          new Format(
              "twitter",
              lines(
                  "",
                  r ->
                      "%d,%s,9,%d,1,%s,0"
                          .formatted(
                              r.second, key(r.key), length(r), word(r, "get", "set", "delete"))),
              ALL,
              true,
              true,
              9),
          new Format(
              "meta",
              lines(
                  "op_time,key,key_size,op,op_count,size,cache_hits,ttl\n",
                  r ->
                      "%d,%s,9,%s,1,%d,%d,0"
                          .formatted(r.second, key(r.key), r.kind, length(r), r.hit ? 1 : 0)),
              ALL,
              true,
              true,
              9),
          new Format(
              "csv",
              lines(
                  "time;op;key;size;client\r\n",
                  r -> "%d.5;%s;%s;%d;7\r".formatted(r.second, r.kind, key(r.key), length(r))),
              ALL,
              true,
              true,
              9),
          new Format("oracle-general", RecordedTrafficTest::oracle, READS, false, true, 8),
          new Format(
              "rocksdb",
              lines(
                  "",
                  r ->
                      "0x%016X %s 0 %d %d000000"
                          .formatted(
                              r.key,
                              word(r, "0", "1", "2"),
                              r.kind == Kind.SET ? 100 : 0,
                              1_700_000_000 + r.second)),
              ALL,
              false,
              false,
              8),
          new Format(
              "ibm",
              lines(
                  "",
                  r ->
                      "%d000 REST.%s.OBJECT %s%s"
                          .formatted(
                              r.second,
                              word(r, "GET", "PUT", "DELETE"),
                              key(r.key),
                              r.kind == Kind.DELETE
                                  ? ""
                                  : " " + size(r) + (r.kind == Kind.GET ? " 0 9" : ""))),
              ALL,
              false,
              true,
              9),
          new Format(
              "msr",
              lines(
                  "",
                  r ->
                      "%d,hm,1,%s,%d,%d,41286"
                          .formatted(
                              128_166_372_003_061_629L + 10_000_000L * r.second,
                              word(r, "Read", "Write", ""),
                              4_096_000_000L + 4_096L * r.key,
                              size(r))),
              Set.of(Kind.GET, Kind.SET),
              false,
              true,
              10),
          new Format(
              "monitor",
              lines(
                  "",
                  r ->
                      "%d.000000 [0 127.0.0.1:6] \"%s\" \"%s\"%s"
                          .formatted(
                              r.second,
                              word(r, "GET", "SET", "DEL"),
                              key(r.key),
                              r.kind == Kind.SET ? " \"" + "x".repeat(100) + "\"" : "")),
              ALL,
              false,
              false,
              9),
          new Format("keys", lines("", r -> key(r.key)), READS, false, false, 9));

  /** Evicts the least recently used records until the others fit. */
  private static final class Lru {

    private final long capacity;
    private final Map<Object, Integer> records = new LinkedHashMap<>(16, 0.75f, true);
    private long used;
    private long hits;
    private long reads;

    private Lru(double capacity) {
      this.capacity = (long) capacity;
    }

    private boolean read(Object key) {
      reads++;
      boolean hit = records.get(key) != null;
      hits += hit ? 1 : 0;
      return hit;
    }

    private void write(Object key, int bytes) {
      delete(key);
      if (bytes > capacity) {
        return;
      }
      records.put(key, bytes);
      used += bytes;
      Iterator<Integer> eldest = records.values().iterator();
      while (used > capacity) {
        used -= eldest.next();
        eldest.remove();
      }
    }

    private void delete(Object key) {
      Integer old = records.remove(key);
      used -= old == null ? 0 : old;
    }
  }

  /** Traffic of a cache that held a third of the keys before, and of keys that never exist. */
  private static List<Request> traffic(Set<Kind> kinds) {
    SplittableRandom random = new SplittableRandom(3);
    Lru cache = new Lru(KEYS / 4.0);
    for (int key = 0; key < KEYS; key += 3) {
      cache.write(key, 1);
    }
    List<Request> requests = new ArrayList<>();
    // The length of a key whose first request is a delete may be unknown.
    Set<Integer> seen = new HashSet<>();
    while (requests.size() < REQUESTS) {
      int second = requests.size() / 1_000;
      double draw = random.nextDouble();
      int key = (int) (draw * draw * draw * KEYS);
      int kind = random.nextInt(20);
      if (kind == 0 && kinds.contains(Kind.DELETE) && seen.contains(key)) {
        cache.delete(key);
        requests.add(new Request(second, Kind.DELETE, key, false));
      } else if (kind == 1 && kinds.contains(Kind.SET)) {
        cache.write(key, 1);
        requests.add(new Request(second, Kind.SET, key, false));
      } else {
        boolean hit = cache.read(key);
        seen.add(key);
        requests.add(new Request(second, Kind.GET, key, hit));
        // A tenth of the keys does not exist in the database behind the cache.
        if (!hit && key % 10 > 0) {
          cache.write(key, 1);
          if (kinds.contains(Kind.SET)) {
            requests.add(new Request(second, Kind.SET, key, false));
          }
        }
      }
    }
    return requests;
  }

  /** What each format says about the traffic. */
  private record Known(Set<Integer> existed, Map<Integer, Integer> lengths) {

    private static Known of(Format format, List<Request> requests) {
      Set<Integer> seen = new HashSet<>();
      Set<Integer> existed = new HashSet<>();
      Map<Integer, Integer> lengths = new HashMap<>();
      for (Request request : requests) {
        boolean missed = format.results && request.kind == Kind.GET && !request.hit;
        if (seen.add(request.key) && request.kind != Kind.SET && !missed) {
          existed.add(request.key);
        }
        if (request.kind == Kind.SET || existed.contains(request.key) || request.hit) {
          lengths.put(request.key, format.bytes(request.key));
        }
      }
      return new Known(existed, lengths);
    }
  }

  private static Lru simulated(
      Format format, List<Request> requests, Known known, double capacity, boolean warm) {
    Lru cache = new Lru(capacity);
    Map<Integer, Integer> rooms = new HashMap<>();
    known.lengths.forEach((key, bytes) -> rooms.put(key, format.keyBytes + bytes));
    if (warm) {
      requests.stream()
          .map(Request::key)
          .distinct()
          .filter(known.existed::contains)
          .forEach(key -> cache.write(key, rooms.get(key)));
    }
    for (Request request : requests) {
      if (request.kind == Kind.DELETE) {
        cache.delete(request.key);
      } else if (request.kind == Kind.SET
          || (!cache.read(request.key) && rooms.containsKey(request.key))) {
        cache.write(request.key, rooms.get(request.key));
      }
    }
    return cache;
  }

  private String imported(String name, byte[] recorded) throws IOException {
    return TraceImport.of(
        name,
        new ByteArrayInputStream(recorded),
        Optional.empty(),
        List.of(),
        folder.resolve(name));
  }

  @TestFactory
  Stream<DynamicTest> simulatedCachesHitAsOftenAsOthers() {
    return FORMATS.stream()
        .map(format -> DynamicTest.dynamicTest(format.name, () -> assertShown(format)));
  }

  private void assertShown(Format format) throws IOException {
    List<Request> requests = traffic(format.kinds);
    Known known = Known.of(format, requests);
    imported(format.name, format.bytes(requests));
    List<String> shown = TraceDescription.of(folder.resolve(format.name)).lines();
    assertThat(shown.get(0)).startsWith("source      " + format.name + ";");
    long all = known.lengths.values().stream().mapToLong(bytes -> format.keyBytes + bytes).sum();
    assertThat(String.join("\n", shown))
        .contains(" of %,d bytes of keys".formatted(all))
        .contains(", of which %,d existed before".formatted(known.existed.size()));
    List<String> expected = new ArrayList<>();
    for (double part : new double[] {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}) {
      String line = "  %5.0f %%".formatted(100 * part);
      for (boolean warm : new boolean[] {false, true}) {
        Lru cache = simulated(format, requests, known, part * all, warm);
        line += "   %5.1f %%".formatted(100.0 * cache.hits / cache.reads);
      }
      expected.add(line);
    }
    assertThat(shown.subList(shown.size() - expected.size(), shown.size())).isEqualTo(expected);
  }

  @TestFactory
  Stream<DynamicTest> replaysHitAsOftenAsOthers() {
    return FORMATS.stream()
        .map(format -> DynamicTest.dynamicTest(format.name, () -> assertReplayed(format)));
  }

  private void assertReplayed(Format format) throws IOException {
    List<Request> requests = traffic(format.kinds);
    Known known = Known.of(format, requests);
    imported(format.name, format.bytes(requests));
    Replay replay = Replay.of(folder.resolve(format.name), 0, 1, 1).replay();
    assertThat(replay.loaded()).isEqualTo(known.existed.size());
    for (int capacity : new int[] {KEYS / 50, KEYS / 5, KEYS}) {
      for (boolean warm : new boolean[] {false, true}) {
        // Caches that count records, as those of the engines do.
        Known counted = new Known(known.existed, new HashMap<>(known.lengths));
        counted.lengths.replaceAll((key, bytes) -> 1 - format.keyBytes);
        Lru expected = simulated(format, requests, counted, capacity, warm);
        Lru replayed = replayed(warm ? replay : replay.empty(), capacity, known);
        assertThat(replayed.reads).isEqualTo(expected.reads);
        assertThat(replayed.hits).as("%d, warm: %s", capacity, warm).isEqualTo(expected.hits);
      }
    }
  }

  /** An engine that evicts the least recently used record, and fills misses. */
  private Lru replayed(Replay replay, int capacity, Known known) throws IOException {
    Lru engine = new Lru(capacity);
    if (replay.loaded() > 0) {
      try (TraceParts load = TraceParts.of(replay, true, 1, Long.MAX_VALUE, folder)) {
        Requests inserts = load.requests(0, 1);
        while (inserts.next(1)) {
          engine.write(inserts.id(0), 1);
        }
      }
    }
    try (TraceParts parts = TraceParts.of(replay, false, 1, Long.MAX_VALUE, folder)) {
      parts.fill();
      Requests requests = parts.requests(0, 1);
      while (requests.next(1)) {
        long id = requests.id(0);
        if (requests.operation() == Operation.DELETE) {
          engine.delete(id);
        } else if (requests.operation() != Operation.READ) {
          assertThat(known.lengths.values()).contains(requests.bytes(0));
          engine.write(id, 1);
        } else if (!engine.read(id)) {
          requests.missed(id);
        }
      }
    }
    return engine;
  }

  /** Of each key a miss, the write that fills it, and two hits. */
  @Test
  void recordedMissesAreMisses() throws IOException {
    List<Request> requests =
        IntStream.range(0, 12_000)
            .mapToObj(i -> new Request(i / 100, i % 4 == 1 ? Kind.SET : Kind.GET, i / 4, i % 4 > 1))
            .toList();
    for (Format format : FORMATS.subList(0, 2)) {
      assertThat(imported(format.name, format.bytes(requests)))
          .startsWith(
              "12,000 requests for 3,000 keys, of which 0 existed before; of 9,000 reads 3,000 are"
                  + " compulsory misses in an empty store, and 3,000 are recorded misses; ");
      Path file = folder.resolve(format.name);
      assertThat(TraceDescription.of(file).lines())
          .contains(
              "misses      compulsory 33.33 % of 9,000 reads in an empty store; recorded 33.33 %",
              "    100 %    66.7 %");
      Replay replay = Replay.of(file, 0, 1, 1).replay();
      Lru engine = replayed(replay, KEYS, Known.of(format, requests));
      assertThat(engine.hits).isEqualTo(6_000);
    }
  }

  @Test
  void missedKeysThatAreNeverWrittenAreNotInvented() throws IOException {
    List<Request> requests =
        IntStream.range(0, 3_000).mapToObj(i -> new Request(0, Kind.GET, i, false)).toList();
    for (Format format : FORMATS.subList(0, 2)) {
      assertThat(imported(format.name, format.bytes(requests)))
          .startsWith("3,000 requests for 3,000 keys, of which 0 existed before; ")
          .doesNotContain("missing lengths");
      Path file = folder.resolve(format.name);
      assertThat(TraceDescription.of(file).lines()).endsWith("    100 %     0.0 %");
      Replay replay = Replay.of(file, 0, 1, 1).replay();
      Lru engine = replayed(replay, KEYS, Known.of(format, requests));
      assertThat(engine.records).isEmpty();
    }
  }

  @TestFactory
  Stream<DynamicTest> damagedRecordingsAreReadOrRefusedWithTheirPlace() {
    return FORMATS.stream()
        .map(format -> DynamicTest.dynamicTest(format.name, () -> assertDamaged(format)));
  }

  private void assertDamaged(Format format) throws IOException {
    byte[] whole = format.bytes(traffic(format.kinds).subList(0, 40));
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    for (int i = 0; i < 200; i++) {
      byte[] damaged =
          Arrays.copyOf(whole, i % 2 == 0 ? whole.length : random.nextInt(whole.length));
      for (int j = i % 2; j < 2 && damaged.length > 0; j++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Optional<TraceFormat> stated =
          Labelled.of(TraceFormat.class, format.name).filter(any -> random.nextBoolean());
      Path file = folder.resolve(format.name + i);
      try {
        TraceImport.of(format.name, new ByteArrayInputStream(damaged), stated, List.of(), file);
        assertThat(Replay.of(file, 0, 1, 1).replay().requests()).isPositive();
      } catch (TraceException e) {
        assertThat(e).hasMessageStartingWith(format.name + ":");
        assertThat(file).doesNotExist();
        refused++;
      }
      assertThat(Path.of(file + ".part")).doesNotExist();
    }
    assertThat(refused).isBetween(20, 199);
  }
}
