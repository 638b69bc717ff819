package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import kvrank.benchmarks.Contest.Stage;
import kvrank.run.Sampling;
import kvrank.worker.WorkerPhase;
import kvrank.worker.WorkerSpec;
import kvrank.workload.Distribution;
import kvrank.workload.Operation;

/**
 * GET of one Redis while the resources of server and worker are sampled, beside the same without.
 */
final class SamplingContest {

  private static final String BINDING = "kvrank.redis.RedisBinding";
  private static final long KEYS = 100_000;
  private static final int LOAD_BATCH = 1_000;

  /** Enough that the cores have no time to spare for the sampler. */
  private static final int CONNECTIONS = 8;

  private SamplingContest() {}

  static Contest of(Build build, Pacing pacing) {
    return new Contest(
        "sampling",
        "Redis GET, %d connections, resources sampled, op/s".formatted(CONNECTIONS),
        "not sampled",
        Bar.ratioAtLeast(0.99),
        Optional.empty(),
        folder -> new Both(build, pacing, folder));
  }

  private static final class Both implements Stage {

    private final Build build;
    private final Pacing pacing;
    private final Path folder;
    private final RedisServer server;

    private Both(Build build, Pacing pacing, Path folder) throws IOException, InterruptedException {
      this.build = requireNonNull(build, "build is null");
      this.pacing = requireNonNull(pacing, "pacing is null");
      this.folder = requireNonNull(folder, "folder is null");
      this.server = RedisServer.start(build.redisServer(), folder);
      try {
        WorkerRun.of(spec(Work.load(LOAD_BATCH)), build.redis());
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

    private Measurement measure(WorkerRun.Observer observer)
        throws IOException, InterruptedException {
      Work.Pace pace = Work.Pace.closed(CONNECTIONS, pacing.warmupSeconds(), pacing.seconds());
      WorkerPhase phase = Work.mix(Distribution.UNIFORM, pace, Operation.READ);
      return WorkerRun.of(spec(phase), build.redis(), observer).throughput();
    }

    @Override
    public Measurement kvrank() throws IOException, InterruptedException {
      return measure(worker -> Sampling.begin(server.pid(), worker, folder));
    }

    @Override
    public Optional<Measurement> peer() throws IOException, InterruptedException {
      return Optional.of(measure(worker -> () -> {}));
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
