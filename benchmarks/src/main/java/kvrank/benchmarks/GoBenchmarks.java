package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.benchmarks.PeerBenchmark.Stage;
import kvrank.worker.WorkerPhase;
import kvrank.workload.Distribution;
import kvrank.workload.KeyFormat;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;

/**
 * Random reads of engines written in Go, in the worker's process beside a loop that is a program in
 * Go: one database, made by the worker, with the same options on both sides.
 */
final class GoBenchmarks {

  private static final String BINDING = "kvrank.go.GoBinding";
  private static final long RECORDS = 1_000_000;
  private static final int BATCH = 1000;
  private static final double COMPRESSIBILITY = 0.5;

  private static final Map<String, String> TREE = Map.of("commit", "update", "freelist", "array");
  private static final Map<String, String> MERGE_TREE =
      Map.of(
          "block-cache-bytes",
          Long.toString(512L << 20),
          "write-buffer-bytes",
          Long.toString(64L << 20),
          "compression",
          "snappy",
          "bloom-bits",
          "10");

  private final Build build;
  private final Pacing pacing;

  GoBenchmarks(Build build, Pacing pacing) {
    this.build = requireNonNull(build, "build is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
  }

  List<PeerBenchmark> all() throws IOException {
    List<PeerBenchmark> contests = new ArrayList<>();
    for (String engine : List.of("pebble", "badger", "goleveldb")) {
      contests.add(contest(engine, MERGE_TREE));
    }
    contests.add(contest("bbolt", TREE));
    return contests;
  }

  private PeerBenchmark contest(String engine, Map<String, String> options) throws IOException {
    Optional<String> missing =
        Tool.find("go").isEmpty() || build.goLibrary(engine).isEmpty()
            ? Optional.of("needs Go, and %s.so of bindings/go".formatted(engine))
            : Optional.empty();
    return new PeerBenchmark(
        "go-" + engine,
        engine + " random read, 1 thread, op/s",
        "loop in Go",
        Bar.ratioAtLeast(0.8),
        missing,
        folder -> new Reads(engine, options, folder));
  }

  private final class Reads implements Stage {

    private final Path folder;
    private final Map<String, String> properties;

    private Reads(String engine, Map<String, String> options, Path folder)
        throws IOException, InterruptedException {
      this.folder = folder;
      this.properties = new TreeMap<>(options);
      properties.put("dir", folder.resolve("data").toString());
      properties.put("sync", "false");
      properties.put("disable-wal", "false");
      properties.put("library", build.goLibrary(engine).orElseThrow().toString());
      RocksDbBenchmarks.delete(folder);
      Files.createDirectories(folder);
      Tool.run(
          List.of("go", "build", "-C", source(engine), "-o", loop(), "."),
          0,
          folder.resolve("build.log"));
      writeKeys();
      worker(Work.load(BATCH));
    }

    private String source(String engine) {
      return build.home().resolve("bindings").resolve(engine).toString();
    }

    private String loop() {
      return folder.resolve("loop").toString();
    }

    private Path keys() {
      return folder.resolve("keys");
    }

    private void writeKeys() throws IOException {
      KeyFormat format = new KeyFormat(KeyShape.DEFAULT);
      byte[] key = format.newKey();
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(keys()))) {
        for (long id = 0; id < RECORDS; id++) {
          format.write(id, key);
          out.write(key);
        }
      }
    }

    private WorkerRun.Outcome worker(WorkerPhase phase) throws IOException, InterruptedException {
      Path output = folder.resolve("worker");
      return WorkerRun.of(
          Work.spec(BINDING, properties, RECORDS, COMPRESSIBILITY, output, phase), build.go());
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      var once = Work.closed(1, pacing.warmupSeconds(), pacing.seconds());
      return worker(Work.mix(Distribution.UNIFORM, once, Operation.READ)).throughput();
    }

    @Override
    public Optional<Figure> peer() throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of(loop(), keys().toString()));
      command.add(Integer.toString(KeyShape.DEFAULT.bytes()));
      command.add(Integer.toString(pacing.warmupSeconds()));
      command.add(Integer.toString(pacing.seconds()));
      properties.forEach((name, value) -> command.add(name + "=" + value));
      Tool.Outcome outcome =
          Tool.run(command, pacing.warmupSeconds() + 0.5, folder.resolve("loop.log"));
      return Optional.of(Figure.throughput(outcome.number("([0-9]+) reads/s"), outcome.cores()));
    }

    @Override
    public void close() throws IOException {
      RocksDbBenchmarks.delete(folder);
    }
  }
}
