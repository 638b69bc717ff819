package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.benchmarks.binding.AllocationBinding;
import kvrank.benchmarks.table.Bar;
import kvrank.benchmarks.table.Figure;
import kvrank.benchmarks.table.Pacing;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.PeerBenchmark.Stage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;

/** Reads, writes and scans of RocksDB in the process, beside db_bench, with one version of it. */
final class RocksDbBenchmarks {

  private static final String BINDING = "kvrank.rocksdb.RocksDbBinding";
  private static final long RECORDS = 1_000_000;
  private static final long CACHE_BYTES = 512L << 20;
  private static final long WRITE_BUFFER_BYTES = 64L << 20;
  private static final int BLOOM_BITS = 10;
  private static final double COMPRESSIBILITY = 0.5;
  private static final String COMPRESSION = "snappy";

  /** A measured operation, with its name in the row and in db_bench. */
  private enum Kind {
    READ(Operation.READ, "read", "readrandom"),
    WRITE(Operation.UPDATE, "write", "overwrite"),
    SCAN(Operation.RANGE_SCAN, "scan", "seekrandom");

    private final Operation operation;
    private final String row;
    private final String peer;

    Kind(Operation operation, String row, String peer) {
      this.operation = operation;
      this.row = row;
      this.peer = peer;
    }
  }

  private final Build build;
  private final Pacing pacing;

  RocksDbBenchmarks(Build build, Pacing pacing) {
    this.build = requireNonNull(build, "build is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
  }

  List<PeerBenchmark> all() throws IOException, InterruptedException {
    Optional<String> missing = missing();
    List<PeerBenchmark> contests = new ArrayList<>();
    for (int threads : new int[] {1, 2}) {
      contests.add(contest(Kind.READ, threads, Bar.ratioAtLeast(0.9).cpuAtMost(1 / 0.9), missing));
      contests.add(contest(Kind.WRITE, threads, Bar.NONE, missing));
    }
    contests.add(contest(Kind.SCAN, 1, Bar.NONE, missing));
    contests.add(
        new PeerBenchmark(
            "rocksdb-allocation",
            "RocksDB random read, 1 thread, bytes per operation",
            "",
            Bar.valueAtMost(24),
            Optional.empty(),
            Allocation::new));
    return contests;
  }

  private PeerBenchmark contest(Kind kind, int threads, Bar bar, Optional<String> missing) {
    return new PeerBenchmark(
        "rocksdb-" + kind.row + "-" + threads,
        "RocksDB random %s, %d thread%s, op/s".formatted(kind.row, threads, threads > 1 ? "s" : ""),
        "db_bench",
        bar,
        missing,
        folder -> new Both(kind, threads, folder));
  }

  private Optional<String> missing() throws IOException, InterruptedException {
    if (Tool.find("db_bench").isEmpty()) {
      return Optional.of("db_bench is not installed; apt-get install rocksdb-tools");
    }
    Path log = Files.createTempFile("kvrank-db_bench", ".log");
    Tool.Outcome version = Tool.run(List.of("db_bench", "--version"), 0, log);
    Files.delete(log);
    return version.output().contains(build.rocksDbVersion())
        ? Optional.empty()
        : Optional.of(
            "db_bench is of %s and rocksdbjni of %s; build with -Drocksdbjni.peer.version=…"
                .formatted(version.output().strip(), build.rocksDbVersion()));
  }

  /**
   * A database for each side, filled in key order by its own tool and opened again for each
   * measurement; for writes, a fresh one each time.
   */
  private final class Both implements Stage {

    private final Kind kind;
    private final int threads;
    private final Path folder;

    private Both(Kind kind, int threads, Path folder) throws IOException, InterruptedException {
      this.kind = kind;
      this.threads = threads;
      this.folder = folder;
      Files.createDirectories(folder);
      fillKvrank();
      fillPeer();
      System.err.println(
          "Options that differ: " + RocksDbOptions.differences(kvrankData(), peerData()));
    }

    private Path kvrankData() {
      return folder.resolve("kvrank");
    }

    private Path peerData() {
      return folder.resolve("db_bench");
    }

    private void fillKvrank() throws IOException, InterruptedException {
      delete(kvrankData());
      WorkerRun.of(spec(Work.load(1)), build.rocksDbOfPeer());
    }

    private void fillPeer() throws IOException, InterruptedException {
      delete(peerData());
      benchmark(1, 0, "--benchmarks=fillseq", "--use_existing_db=false");
    }

    private WorkerSpec spec(WorkerPhase phase) {
      return Work.spec(
          BINDING,
          properties(kvrankData()),
          RECORDS,
          COMPRESSIBILITY,
          folder.resolve("worker"),
          phase);
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      if (kind == Kind.WRITE) {
        fillKvrank();
      }
      ClientSettings settings = Work.closed(threads, pacing.warmupSeconds(), pacing.seconds());
      WorkerPhase phase = Work.mix(Distribution.UNIFORM, settings, kind.operation);
      return WorkerRun.of(spec(phase), build.rocksDbOfPeer()).throughput();
    }

    /** The benchmark twice in one process: the first time to warm up, as kvrank does. */
    @Override
    public Optional<Figure> peer() throws IOException, InterruptedException {
      if (kind == Kind.WRITE) {
        fillPeer();
      }
      Tool.Outcome outcome =
          benchmark(
              threads,
              pacing.seconds() + 0.5,
              "--benchmarks=" + kind.peer + "," + kind.peer,
              "--seek_nexts=" + Work.SCAN_RECORDS,
              "--use_existing_db=true",
              "--duration=" + pacing.seconds());
      double perSecond = outcome.number(" ([0-9]+) ops/sec");
      if (kind != Kind.WRITE) {
        double found = outcome.number("\\(([0-9]+) of [0-9]+ found\\)");
        double asked = outcome.number("\\([0-9]+ of ([0-9]+) found\\)");
        if (found < asked) {
          throw new IOException("db_bench found " + found + " of " + asked);
        }
      }
      return Optional.of(Figure.throughput(perSecond, outcome.cores()));
    }

    private Tool.Outcome benchmark(int clients, double settleSeconds, String... options)
        throws IOException, InterruptedException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  "db_bench",
                  "--db=" + peerData(),
                  "--threads=" + clients,
                  "--num=" + RECORDS,
                  "--key_size=16",
                  "--value_size=" + Work.VALUE_BYTES,
                  "--compression_type=" + COMPRESSION,
                  "--compression_ratio=" + (1 - COMPRESSIBILITY),
                  "--cache_size=" + CACHE_BYTES,
                  "--bloom_bits=" + BLOOM_BITS,
                  "--write_buffer_size=" + WRITE_BUFFER_BYTES,
                  "--disable_wal=false",
                  "--sync=false",
                  // Where its defaults are not those of RocksDB's Java API:
                  "--enable_pipelined_write=false",
                  "--checksum_type=1",
                  "--index_shortening_mode=1",
                  "--pin_top_level_index_and_filter=true",
                  "--table_cache_numshardbits=6",
                  "--delayed_write_rate=16777216",
                  "--hard_pending_compaction_bytes_limit=274877906944",
                  "--dump_malloc_stats=false"));
      command.addAll(List.of(options));
      return Tool.run(command, settleSeconds, folder.resolve("db_bench.log"));
    }

    @Override
    public void close() throws IOException {
      delete(kvrankData());
      delete(peerData());
    }
  }

  /** What a read allocates, once it is compiled. */
  private final class Allocation implements Stage {

    private final Path folder;

    private Allocation(Path folder) throws IOException, InterruptedException {
      this.folder = folder;
      delete(data());
      WorkerRun.of(spec(BINDING, properties(data()), Work.load(1)), build.rocksDbOfPeer());
    }

    private Path data() {
      return folder.resolve("kvrank");
    }

    private WorkerSpec spec(String binding, Map<String, String> properties, WorkerPhase phase) {
      Path output = folder.resolve("worker");
      return Work.spec(binding, properties, RECORDS, COMPRESSIBILITY, output, phase);
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      Map<String, String> properties =
          AllocationBinding.properties(BINDING, properties(data()), 400_000, 800_000);
      ClientSettings once = Work.closed(1, pacing.warmupSeconds(), 3 * pacing.seconds());
      WorkerPhase reads = Work.mix(Distribution.UNIFORM, once, Operation.READ);
      return WorkerRun.of(
              spec(AllocationBinding.class.getName(), properties, reads),
              build.withBenchmarks(build.rocksDbOfPeer()))
          .allocation();
    }

    @Override
    public Optional<Figure> peer() {
      return Optional.empty();
    }

    @Override
    public void close() throws IOException {
      delete(data());
    }
  }

  private static Map<String, String> properties(Path data) {
    return Map.of(
        "dir", data.toString(),
        "sync", "false",
        "disable-wal", "false",
        "block-cache-bytes", Long.toString(CACHE_BYTES),
        "write-buffer-bytes", Long.toString(WRITE_BUFFER_BYTES),
        "compression", COMPRESSION,
        "bloom-bits", Integer.toString(BLOOM_BITS));
  }

  /** Deletes {@code folder} and all that is in it. */
  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
