package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/**
 * GET and SET of one Redis, beside redis-benchmark and memtier_benchmark. All drive their
 * connections in one thread: one of the two cores is the server's.
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
        contests.add(contest(Client.REDIS_BENCHMARK, new Load(operation, connections, 1)));
      }
      for (int connections : new int[] {1, 50}) {
        contests.add(contest(Client.REDIS_BENCHMARK, new Load(operation, connections, PIPELINE)));
      }
      contests.add(contest(Client.MEMTIER, new Load(operation, 50, 1)));
    }
    return contests;
  }

  /** A peer. */
  private enum Client {
    REDIS_BENCHMARK("redis-benchmark", "redis-tools", "key:%012d", "\"[GS]ET\",\"([0-9.]+)\""),
    MEMTIER("memtier_benchmark", "memtier-benchmark", "key:%d", "Totals +([0-9.]+)");

    private final String tool;
    private final String debian;
    private final String key;
    private final String throughput;

    Client(String tool, String debian, String key, String throughput) {
      this.tool = tool;
      this.debian = debian;
      this.key = key;
      this.throughput = throughput;
    }

    List<String> command(Load load, int port, long requests) {
      List<String> command = new ArrayList<>(List.of(tool));
      switch (this) {
        case REDIS_BENCHMARK -> {
          option(command, "-p", port);
          option(command, "-t", load.command());
          option(command, "-c", load.connections());
          option(command, "-P", load.pipeline());
          option(command, "-n", requests);
          option(command, "-r", KEYS);
          option(command, "-d", Work.VALUE_BYTES);
          command.add("--csv");
        }
        case MEMTIER -> {
          option(command, "--port", port);
          option(command, "--threads", 1);
          option(command, "--clients", load.connections());
          option(command, "--pipeline", load.pipeline());
          option(command, "--requests", requests / load.connections());
          option(command, "--ratio", load.operation() == Operation.READ ? "0:1" : "1:0");
          option(command, "--key-prefix", "key:");
          option(command, "--key-minimum", 1);
          option(command, "--key-maximum", KEYS);
          option(command, "--key-pattern", "R:R");
          option(command, "--data-size", Work.VALUE_BYTES);
          command.add("--hide-histogram");
        }
      }
      return command;
    }

    private static void option(List<String> command, String name, Object value) {
      command.add(name);
      command.add(value.toString());
    }

    private Optional<String> missing() {
      return Tool.find(tool).isPresent()
          ? Optional.empty()
          : Optional.of(tool + " is not installed, so this is not measured; the package " + debian);
    }
  }

  private record Load(Operation operation, int connections, int pipeline) {

    String command() {
      return operation == Operation.READ ? "get" : "set";
    }

    String name() {
      return command() + "-" + connections + (pipeline > 1 ? "-pipelined" : "");
    }

    Bar bar() {
      if (pipeline > 1) {
        return Bar.ratioAtLeast(1).cpuAtMost(1.2);
      }
      return connections == 50 ? Bar.ratioAtLeast(1.2).cpuAtMost(0.85) : Bar.NONE;
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

  private PeerBenchmark contest(Client client, Load load) {
    return new PeerBenchmark(
        (client == Client.MEMTIER ? "memtier-" : "redis-") + load.name(),
        load.what(),
        client.tool,
        load.bar(),
        client.missing(),
        at -> new Both(client, load, at));
  }

  /** One server with the keys of both; their sizes and numbers are the same. */
  private final class Both implements Stage {

    private final Client client;
    private final Load load;
    private final Path folder;
    private final RedisServer server;
    private final long requests;

    private Both(Client client, Load load, Path folder) throws IOException, InterruptedException {
      this.client = client;
      this.load = load;
      this.folder = folder;
      this.server = RedisServer.start(build.redisServer(), folder);
      try {
        server.fill(client.key, KEYS, Work.VALUE_BYTES);
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
      Tool.Outcome outcome =
          Tool.run(
              client.command(load, server.port(), count),
              SETTLE_SECONDS,
              folder.resolve(client.tool + ".log"));
      return Figure.throughput(outcome.number(client.throughput), outcome.cores());
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
