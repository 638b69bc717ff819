package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import kvrank.benchmarks.table.Bar;
import kvrank.benchmarks.table.Figure;
import kvrank.benchmarks.table.Pacing;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.PeerBenchmark.Stage;
import kvrank.run.measure.Sampling;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;

/**
 * The no-op engine on all cores while the resources of a server and of the worker are sampled,
 * beside the same without. A real engine's throughput differs by some percent from one run to the
 * next, which would hide what is looked for; what the sampler takes from the cores is the same.
 */
final class SamplingBenchmark {

  private static final String BINDING = "kvrank.worker.call.NoopBinding";
  private static final long RECORDS = 1_000_000;

  /** Enough that the cores have no time to spare for the sampler. */
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  private SamplingBenchmark() {}

  static PeerBenchmark of(Build build, Pacing pacing) {
    return new PeerBenchmark(
        "sampling",
        "no-op, %d threads, resources sampled, op/s".formatted(THREADS),
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
    }

    private Figure measure(WorkerRun.Observer observer) throws IOException, InterruptedException {
      ClientSettings settings = Work.closed(THREADS, pacing.warmupSeconds(), pacing.seconds());
      WorkerPhase phase =
          Work.mix(Distribution.ZIPFIAN, settings, Operation.READ, Operation.UPDATE);
      WorkerSpec spec = Work.spec(BINDING, Map.of(), RECORDS, 0, folder, phase);
      return WorkerRun.of(spec, build.worker(), observer).throughput();
    }

    @Override
    public Figure kvrank() throws IOException, InterruptedException {
      return measure(worker -> Sampling.begin(server.pid(), worker, folder));
    }

    @Override
    public Optional<Figure> peer() throws IOException, InterruptedException {
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
