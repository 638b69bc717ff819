package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.benchmarks.PeerBenchmark.Stage;
import kvrank.worker.WorkerPhase;
import kvrank.worker.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.Distribution;
import kvrank.workload.Operation;

/**
 * GET and SET of one Redis, beside redis-benchmark. Both drive their connections in one thread: one
 * of the two cores is the server's.
 */
final class RedisBenchmarks {

  private static final String BINDING = "kvrank.redis.RedisBinding";
  private static final long KEYS = 100_000;
  private static final int LOAD_BATCH = 1_000;
  private static final int PIPELINE = 16;
  private static final long TRIAL_REQUESTS = 100_000;
  private static final double SETTLE_SECONDS = 0.5;

  private final Build build;
  private final Pacing pacing;

  RedisBenchmarks(Build build, Pacing pacing) {
    this.build = requireNonNull(build, "build is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
  }

  List<PeerBenchmark> all() {
    List<PeerBenchmark> contests = new ArrayList<>();
    for (Operation operation : List.of(Operation.READ, Operation.UPDATE)) {
      for (int connections : new int[] {1, 8, 50}) {
        Bar bar = connections == 50 ? Bar.ratioAtLeast(1) : Bar.NONE;
        contests.add(contest(new Load(operation, connections, 1), bar));
      }
      contests.add(contest(new Load(operation, 1, PIPELINE), Bar.ratioAtLeast(0.9)));
      contests.add(contest(new Load(operation, 50, PIPELINE), Bar.ratioAtLeast(0.9)));
    }
    return contests;
  }

  private record Load(Operation operation, int connections, int pipeline) {

    String command() {
      return operation == Operation.READ ? "get" : "set";
    }

    String name() {
      return "redis-" + command() + "-" + connections + (pipeline > 1 ? "-pipelined" : "");
    }

    String what() {
      return "Redis %s, %d connection%s%s, op/s"
          .formatted(
              command().toUpperCase(java.util.Locale.ROOT),
              connections,
              connections > 1 ? "s" : "",
              pipeline > 1 ? ", pipeline " + pipeline : "");
    }
  }

  private PeerBenchmark contest(Load load, Bar bar) {
    return new PeerBenchmark(
        load.name(), load.what(), "redis-benchmark", bar, missing(), at -> new Both(load, at));
  }

  private static Optional<String> missing() {
    return Tool.find("redis-benchmark").isPresent()
        ? Optional.empty()
        : Optional.of("redis-benchmark is not installed; apt-get install redis-tools");
  }

  /** One server with the keys of both; their sizes and numbers are the same. */
  private final class Both implements Stage {

    private final Load load;
    private final Path folder;
    private final RedisServer server;
    private final long requests;

    private Both(Load load, Path folder) throws IOException, InterruptedException {
      this.load = load;
      this.folder = folder;
      this.server = RedisServer.start(build.redisServer(), folder);
      try {
        server.fill(KEYS, Work.VALUE_BYTES);
        WorkerRun.of(spec(Work.load(LOAD_BATCH)), build.redis());
        double trial = benchmark(TRIAL_REQUESTS).value();
        this.requests = Math.round(trial * pacing.seconds());
      } catch (IOException | InterruptedException e) {
        server.close();
        throw e;
      }
    }

    private WorkerSpec spec(WorkerPhase phase) {
      Map<String, String> properties =
          Map.of("host", "127.0.0.1", "port", Integer.toString(server.port()));
      return Work.spec(BINDING, properties, KEYS, 0, folder, phase);
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      ClientSettings settings =
          Work.settings(
              1,
              load.connections(),
              1,
              load.pipeline(),
              0,
              pacing.warmupSeconds(),
              pacing.seconds());
      WorkerPhase phase = Work.mix(Distribution.UNIFORM, settings, load.operation());
      return WorkerRun.of(spec(phase), build.redis()).throughput();
    }

    @Override
    public Optional<Figure> peer() throws IOException, InterruptedException {
      return Optional.of(benchmark(requests));
    }

    private Figure benchmark(long count) throws IOException, InterruptedException {
      List<String> command =
          List.of(
              "redis-benchmark",
              "-h",
              "127.0.0.1",
              "-p",
              Integer.toString(server.port()),
              "-t",
              load.command(),
              "-c",
              Integer.toString(load.connections()),
              "-P",
              Integer.toString(load.pipeline()),
              "-n",
              Long.toString(count),
              "-r",
              Long.toString(KEYS),
              "-d",
              Integer.toString(Work.VALUE_BYTES),
              "--csv");
      Tool.Outcome outcome =
          Tool.run(command, SETTLE_SECONDS, folder.resolve("redis-benchmark.log"));
      return Figure.throughput(outcome.number("\"[GS]ET\",\"([0-9.]+)\""), outcome.cores());
    }

    @Override
    public long serverTicks() {
      return server.ticks();
    }

    @Override
    public void close() throws IOException {
      long misses;
      try (server) {
        misses = server.info("keyspace_misses");
      }
      if (misses > 0) {
        throw new IOException(misses + " keys were not found");
      }
    }
  }
}
