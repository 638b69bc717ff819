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
import java.util.SplittableRandom;
import java.util.TreeMap;
import kvrank.benchmarks.binding.CallBinding;
import kvrank.benchmarks.table.Bar;
import kvrank.benchmarks.table.Figure;
import kvrank.benchmarks.table.Pacing;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.PeerBenchmark.Stage;
import kvrank.engine.EngineDefinition.Binding;
import kvrank.input.InvalidInputException;
import kvrank.scenario.read.ScenarioReader;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;

/**
 * Random reads of engines in the worker's process, beside a loop that is a program in the engine's
 * own language: one database, made by the worker, with the same options on both sides. The loop
 * reads keys that were drawn before it began.
 */
final class LoopBenchmarks {

  private static final String NATIVE = "kvrank.go.GoBinding";
  private static final long RECORDS = 1_000_000;

  /** Each record is drawn several times before the draws begin again, as by chance it would be. */
  private static final long DRAWS = 4 * RECORDS;

  private static final long SEED = 42;
  private static final int BATCH = 1000;
  private static final double COMPRESSIBILITY = 0.5;

  /** What placeholders of an {@code engine.yaml} stand for. */
  private static final Map<String, String> PLACEHOLDERS =
      Map.of(
          "${cache-bytes}", Long.toString(512L << 20),
          "${write-buffer-bytes}", Long.toString(64L << 20));

  private final Build build;
  private final Pacing pacing;

  LoopBenchmarks(Build build, Pacing pacing) {
    this.build = requireNonNull(build, "build is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
  }

  List<PeerBenchmark> all() throws IOException {
    List<PeerBenchmark> contests = new ArrayList<>();
    for (String engine : List.of("pebble", "badger", "goleveldb", "bbolt")) {
      contests.add(go(engine));
    }
    for (String engine : List.of("fjall", "libmdbx", "redb", "sled")) {
      contests.add(rust(engine, 0.8));
    }
    contests.add(rust("tidesdb", 0.85));
    contests.add(lmdb(1));
    contests.add(lmdb(2));
    contests.add(call("go", 100));
    contests.add(call("rust", 40));
    return contests;
  }

  private Binding binding(String engine) throws IOException {
    try {
      return new ScenarioReader(build.home()).engine(engine).orElseThrow().binding();
    } catch (InvalidInputException e) {
      throw new IOException(e);
    }
  }

  /**
   * An engine, as its {@code engine.yaml} has it, and the loop beside it.
   *
   * @param loop makes the loop
   */
  private record Engine(Binding binding, Optional<Path> library, int threads, Loop loop) {

    /** The properties of its binding, with its data in {@code data}. */
    Map<String, String> properties(Path data) {
      Map<String, String> properties = new TreeMap<>(binding.properties());
      properties.replaceAll((name, value) -> PLACEHOLDERS.getOrDefault(value, value));
      properties.put("dir", data.toString());
      library.ifPresent(file -> properties.put("library", file.toString()));
      return properties;
    }
  }

  private interface Loop {

    /**
     * Makes the loop in {@code folder}.
     *
     * @return the command without its arguments
     */
    Path make(Path folder) throws IOException, InterruptedException;

    /** What the loop wants to know of the engine, after keys and times. */
    default List<String> arguments(Map<String, String> properties) {
      List<String> arguments = new ArrayList<>();
      properties.forEach((name, value) -> arguments.add(name + "=" + value));
      arguments.removeIf(each -> each.startsWith("library="));
      return arguments;
    }
  }

  private PeerBenchmark go(String engine) throws IOException {
    Loop loop =
        folder -> {
          Path made = folder.resolve("loop");
          String source = build.home().resolve("bindings").resolve(engine).toString();
          run(folder, "go", "build", "-C", source, "-o", made.toString(), ".");
          return made;
        };
    return library("go", "go", engine, 0.8, loop);
  }

  private PeerBenchmark rust(String engine, double bar) throws IOException {
    Loop loop =
        folder -> {
          Path rust = build.home().resolve("bindings/rust");
          run(folder, rust.resolve("build").toString(), "true", "true", engine);
          return rust.resolve("target/cargo/release/examples").resolve(engine + "_loop");
        };
    return library("rust", "cargo", engine, bar, loop);
  }

  private PeerBenchmark library(String language, String tool, String engine, double bar, Loop loop)
      throws IOException {
    Optional<Path> library = build.library(language, engine);
    return contest(
        language + "-" + engine,
        engine,
        "loop in " + title(language),
        bar,
        Tool.find(tool).isEmpty() || library.isEmpty()
            ? Optional.of("needs %s, and %s.so of bindings/%s".formatted(tool, engine, language))
            : Optional.empty(),
        new Engine(binding(engine), library, 1, loop));
  }

  private PeerBenchmark lmdb(int threads) throws IOException {
    Loop loop =
        new Loop() {
          @Override
          public Path make(Path folder) throws IOException, InterruptedException {
            Path library = folder.resolve("liblmdb.so");
            Path made = folder.resolve("loop");
            Path source = build.home().resolve("benchmarks/src/main/c/lmdb_loop.c");
            build.copyLmdb(library);
            String from = source.toString();
            run(folder, "gcc", "-O2", "-o", made.toString(), from, library.toString(), "-lpthread");
            return made;
          }

          @Override
          public List<String> arguments(Map<String, String> properties) {
            return List.of(
                Integer.toString(threads), properties.get("dir"), properties.get("map-bytes"));
          }
        };
    return contest(
        "lmdb-read-" + threads,
        "LMDB",
        "loop in C",
        0.8,
        Tool.find("gcc").isEmpty() ? Optional.of("needs gcc") : Optional.empty(),
        new Engine(binding("lmdb"), Optional.empty(), threads, loop));
  }

  private PeerBenchmark contest(
      String row, String name, String peer, double bar, Optional<String> missing, Engine engine) {
    return new PeerBenchmark(
        row,
        "%s random read, %d thread%s, op/s"
            .formatted(name, engine.threads, engine.threads > 1 ? "s" : ""),
        peer,
        Bar.ratioAtLeast(bar).cpuAtMost(1 / bar),
        missing,
        folder -> new Reads(engine, folder));
  }

  /** What a call of a native library costs that does nothing: the binding's side and the JVM's. */
  private PeerBenchmark call(String language, double mostNanos) throws IOException {
    Optional<Path> library = build.library(language, "noop");
    return new PeerBenchmark(
        "call-" + language,
        "read by a library in %s that does nothing, 1 thread, ns per call"
            .formatted(title(language)),
        "",
        Bar.valueAtMost(mostNanos),
        library.isPresent()
            ? Optional.empty()
            : Optional.of("needs noop.so of bindings/" + language),
        folder -> new Calls(language, library.orElseThrow(), folder));
  }

  private static String title(String language) {
    return language.equals("go") ? "Go" : "Rust";
  }

  private final class Calls implements Stage {

    private final WorkerSpec spec;
    private final String classpath;

    private Calls(String language, Path library, Path folder) throws IOException {
      Map<String, String> own = new TreeMap<>();
      own.put("library", library.toString());
      own.put("dir", folder.resolve("data").toString());
      if (language.equals("go")) {
        own.put("fault", "none");
      }
      this.spec =
          Work.spec(
              CallBinding.class.getName(),
              CallBinding.properties(NATIVE, own),
              RECORDS,
              0,
              folder,
              reads(1));
      this.classpath = build.withBenchmarks(build.withWorker("bindings/" + language));
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      return WorkerRun.of(spec, classpath).nanosPerCall();
    }

    @Override
    public Optional<Figure> peer() {
      return Optional.empty();
    }
  }

  private WorkerPhase reads(int threads) {
    var settings = Work.closed(threads, pacing.warmupSeconds(), pacing.seconds());
    return Work.mix(Distribution.UNIFORM, settings, Operation.READ);
  }

  private static void run(Path folder, String... command) throws IOException, InterruptedException {
    Tool.run(List.of(command), 0, folder.resolve("build.log"));
  }

  private final class Reads implements Stage {

    private final Engine engine;
    private final Path folder;
    private final Map<String, String> properties;
    private final Path loop;

    private Reads(Engine engine, Path folder) throws IOException, InterruptedException {
      this.engine = engine;
      this.folder = folder;
      this.properties = engine.properties(folder.resolve("data"));
      RocksDbBenchmarks.delete(folder);
      Files.createDirectories(folder);
      this.loop = engine.loop.make(folder);
      writeDraws();
      worker(Work.load(BATCH));
    }

    private Path draws() {
      return folder.resolve("keys");
    }

    private void writeDraws() throws IOException {
      KeyFormat format = new KeyFormat(KeyShape.DEFAULT);
      byte[] key = format.newKey();
      SplittableRandom random = new SplittableRandom(SEED);
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draws()))) {
        for (long i = 0; i < DRAWS; i++) {
          format.write(random.nextLong(RECORDS), key);
          out.write(key);
        }
      }
    }

    private WorkerRun.Outcome worker(WorkerPhase phase) throws IOException, InterruptedException {
      Path output = folder.resolve("worker");
      return WorkerRun.of(
          Work.spec(
              engine.binding.className(), properties, RECORDS, COMPRESSIBILITY, output, phase),
          build.withWorker(build.home().relativize(engine.binding.module()).toString()),
          engine.binding.jvm().toArray(String[]::new));
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      return worker(reads(engine.threads)).throughput();
    }

    @Override
    public Optional<Figure> peer() throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of(loop.toString(), draws().toString()));
      command.add(Integer.toString(KeyShape.DEFAULT.bytes()));
      command.add(Integer.toString(pacing.warmupSeconds()));
      command.add(Integer.toString(pacing.seconds()));
      command.addAll(engine.loop.arguments(properties));
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
