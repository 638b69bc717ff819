package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.benchmarks.table.Bar;
import kvrank.benchmarks.table.Figure;
import kvrank.benchmarks.table.Pacing;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.PeerBenchmark.Stage;
import kvrank.fact.Fact;
import kvrank.run.worker.OneGenerator;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;

/**
 * Compares a worker that uses the barriers of several machines with a single one: the no-op engine
 * and Redis, two threads, half reads and half updates.
 */
final class GatesBenchmarks {

  private static final String NOOP = "kvrank.worker.call.NoopBinding";
  private static final String REDIS = "kvrank.redis.RedisBinding";
  private static final String ALONE = "alone";
  private static final int THREADS = 2;
  private static final long RECORDS = 100_000;

  private final Build build;
  private final Pacing pacing;

  GatesBenchmarks(Build build, Pacing pacing) {
    this.build = requireNonNull(build, "build is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
  }

  List<PeerBenchmark> all() {
    return List.of(
        row(
            "gates-noop",
            "no-op, 2 threads, through the gates, op/s",
            Bar.ratioAtLeast(0.99),
            (gates, folder) -> throughput(gates, noop(folder, pacing.warmupSeconds()))),
        new PeerBenchmark(
            "gates-redis",
            "Redis, 2 threads, through the gates, op/s",
            ALONE,
            Bar.ratioAtLeast(0.99),
            Optional.empty(),
            OnRedis::new),
        row(
            "gates-start",
            "no-op, through the gates, s to the first counted operation",
            Bar.NONE,
            (gates, folder) -> Figure.of(run(gates, noop(folder, 0)).startSeconds())));
  }

  private interface Side {
    Figure measure(boolean gates, Path folder) throws IOException, InterruptedException;
  }

  private static PeerBenchmark row(String name, String what, Bar bar, Side side) {
    return new PeerBenchmark(
        name,
        what,
        ALONE,
        bar,
        Optional.empty(),
        folder ->
            new Stage() {
              @Override
              public Figure kvrank() throws IOException, InterruptedException {
                return side.measure(true, folder);
              }

              @Override
              public Optional<Figure> peer() throws IOException, InterruptedException {
                return Optional.of(side.measure(false, folder));
              }
            });
  }

  private WorkerSpec noop(Path folder, int warmup) throws IOException {
    return spec(NOOP, Map.of(), folder, warmup);
  }

  /** Uses a new folder, as generators append to existing files. */
  private WorkerSpec spec(String binding, Map<String, String> properties, Path folder, int warmup)
      throws IOException {
    ClientSettings settings = Work.closed(THREADS, warmup, pacing.seconds());
    WorkerPhase phase = Work.mix(Distribution.ZIPFIAN, settings, Operation.READ, Operation.UPDATE);
    Path run = Files.createTempDirectory(Files.createDirectories(folder), "run");
    return Work.spec(binding, properties, RECORDS, 0, run, phase);
  }

  private OneGenerator run(boolean gates, WorkerSpec spec)
      throws IOException, InterruptedException {
    String classpath = spec.binding().equals(REDIS) ? build.redis() : build.worker();
    return OneGenerator.of(gates, spec, classpath, Build.JVM);
  }

  private Figure throughput(boolean gates, WorkerSpec spec)
      throws IOException, InterruptedException {
    OneGenerator done = run(gates, spec);
    long operations = 0;
    for (OperationCount count : done.result().operations().values()) {
      if (count.notFound() > 0 || !count.errors().isEmpty()) {
        throw new IOException("errors: " + done.result());
      }
      operations += count.ok();
    }
    double cpu = done.result().facts().number(Fact.CLIENT_CPU_SECONDS);
    return new Figure(operations / (done.result().elapsedNanos() / 1e9), cpu * 1e6 / operations);
  }

  /** One server for both. */
  private final class OnRedis implements Stage {

    private final Path folder;
    private final RedisServer server;

    private OnRedis(Path folder) throws IOException, InterruptedException {
      this.folder = folder;
      this.server = RedisServer.start(build.redisServer(), folder);
      try {
        WorkerSpec load =
            Work.spec(REDIS, properties(), RECORDS, 0, folder, Work.load((int) RECORDS / 100));
        WorkerRun.of(load, build.redis());
      } catch (IOException | InterruptedException e) {
        server.close();
        throw e;
      }
    }

    private Map<String, String> properties() {
      return Map.of("host", "127.0.0.1", "port", Integer.toString(server.port()));
    }

    private Figure measure(boolean gates) throws IOException, InterruptedException {
      return throughput(gates, spec(REDIS, properties(), folder, pacing.warmupSeconds()));
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      return measure(true);
    }

    @Override
    public Optional<Figure> peer() throws IOException, InterruptedException {
      return Optional.of(measure(false));
    }

    @Override
    public long serverTicks() {
      return server.ticks();
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
