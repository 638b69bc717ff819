package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.benchmarks.binding.AllocationBinding;
import kvrank.benchmarks.table.Bar;
import kvrank.benchmarks.table.Figure;
import kvrank.benchmarks.table.Pacing;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.PeerBenchmark.Stage;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Compares the harness with YCSB's client, each with an engine that does nothing. */
final class NoopBenchmarks {

  private static final String NOOP = "kvrank.worker.call.NoopBinding";
  private static final long RECORDS = 1_000_000;

  /** Enough to make the JVM's first seconds, which YCSB's throughput includes, negligible. */
  private static final long YCSB_OPERATIONS_PER_THREAD = 20_000_000;

  private static final double YCSB_SETTLE_SECONDS = 3;
  private static final int RATE = 20_000;
  private static final double P99 = 99;

  private final Build build;
  private final Pacing pacing;

  NoopBenchmarks(Build build, Pacing pacing) {
    this.build = requireNonNull(build, "build is null");
    this.pacing = requireNonNull(pacing, "pacing is null");
  }

  List<PeerBenchmark> all() {
    String ycsb = "YCSB 0.17 BasicDB";
    return List.of(
        contest("noop-1", "1 thread, op/s", ycsb, Bar.NONE, folder -> throughput(folder, 1)),
        contest(
            "noop-2",
            "2 threads, op/s",
            ycsb,
            Bar.ratioAtLeast(5),
            folder -> throughput(folder, 2)),
        contest(
            "noop-scaling",
            "2 threads, op/s",
            "kvrank, 1 thread",
            Bar.ratioAtLeast(1.85),
            this::scaling),
        contest(
            "noop-cost",
            "1 thread, ns per operation",
            "",
            Bar.valueAtMost(200),
            folder -> alone(() -> inverse(measure(closed(folder, 1), build.worker())))),
        contest(
            "noop-allocation",
            "1 thread, bytes per operation",
            "",
            Bar.valueAtMost(24),
            folder -> alone(() -> allocation(folder))),
        contest(
            "schedule",
            "20,000/s, start error p99, µs",
            "YCSB 0.17 -target",
            Bar.valueAtMost(50),
            this::schedule));
  }

  private static PeerBenchmark contest(
      String name, String what, String peer, Bar bar, PeerBenchmark.Opening opening) {
    return new PeerBenchmark(name, "no-op, " + what, peer, bar, Optional.empty(), opening);
  }

  private Stage throughput(Path folder, int threads) {
    return new Stage() {
      @Override
      public Figure kvrank() throws IOException, InterruptedException {
        return measure(closed(folder, threads), build.worker());
      }

      @Override
      public Optional<Figure> peer() throws IOException, InterruptedException {
        Tool.Outcome outcome =
            ycsb(folder, threads, YCSB_OPERATIONS_PER_THREAD * threads, List.of());
        double perSecond = outcome.number("\\[OVERALL\\], Throughput\\(ops/sec\\), ([0-9.E]+)");
        return Optional.of(Figure.throughput(perSecond, outcome.cores()));
      }
    };
  }

  private Stage scaling(Path folder) {
    return new Stage() {
      @Override
      public Figure kvrank() throws IOException, InterruptedException {
        return measure(closed(folder, 2), build.worker());
      }

      @Override
      public Optional<Figure> peer() throws IOException, InterruptedException {
        return Optional.of(measure(closed(folder, 1), build.worker()));
      }
    };
  }

  private interface Measuring {
    Figure measure() throws IOException, InterruptedException;
  }

  private static Stage alone(Measuring measuring) {
    return new Stage() {
      @Override
      public Figure kvrank() throws IOException, InterruptedException {
        return measuring.measure();
      }

      @Override
      public Optional<Figure> peer() {
        return Optional.empty();
      }
    };
  }

  private static Figure inverse(Figure throughput) {
    return new Figure(1e9 / throughput.value(), throughput.cpuMicros());
  }

  private Figure allocation(Path folder) throws IOException, InterruptedException {
    WorkerSpec spec =
        Work.spec(
            AllocationBinding.class.getName(),
            AllocationBinding.properties(NOOP, Map.of(), 20_000_000, 40_000_000),
            RECORDS,
            0,
            folder,
            mix(Work.closed(1, pacing.warmupSeconds(), 3 * pacing.seconds())));
    return WorkerRun.of(spec, build.withBenchmarks(build.worker())).allocation();
  }

  private Stage schedule(Path folder) {
    return new Stage() {
      @Override
      public Figure kvrank() throws IOException, InterruptedException {
        ClientSettings settings =
            Work.settings(1, 1, 1, 1, RATE, pacing.warmupSeconds(), 2 * pacing.seconds());
        WorkerSpec spec = Work.spec(NOOP, Map.of(), RECORDS, 0, folder, mix(settings));
        Figure throughput = measure(spec, build.worker());
        Histogram delay = histogram(folder, Work.MEASURED + "/start-delay");
        return new Figure(delay.getValueAtPercentile(P99) / 1e3, throughput.cpuMicros());
      }

      @Override
      public Optional<Figure> peer() throws IOException, InterruptedException {
        long operations = (long) RATE * (pacing.warmupSeconds() + 2 * pacing.seconds());
        List<String> options =
            List.of(
                "-target", Integer.toString(RATE),
                "-p", "measurement.interval=both",
                "-p", "hdrhistogram.percentiles=50,99");
        Tool.Outcome outcome = ycsb(folder, 1, operations, options);
        double micros =
            outcome.number("\\[Intended-READ\\], 99thPercentileLatency\\(us\\), ([0-9.E]+)");
        return Optional.of(new Figure(micros, outcome.cores() * 1e6 / RATE));
      }
    };
  }

  private WorkerSpec closed(Path folder, int threads) {
    ClientSettings settings = Work.closed(threads, pacing.warmupSeconds(), 2 * pacing.seconds());
    return Work.spec(NOOP, Map.of(), RECORDS, 0, folder, mix(settings));
  }

  private static kvrank.worker.protocol.WorkerPhase mix(ClientSettings settings) {
    return Work.mix(Distribution.ZIPFIAN, settings, Operation.READ, Operation.UPDATE);
  }

  private static Figure measure(WorkerSpec spec, String classpath)
      throws IOException, InterruptedException {
    return WorkerRun.of(spec, classpath).throughput();
  }

  private Tool.Outcome ycsb(Path folder, int threads, long operations, List<String> options)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    List<String> command = new ArrayList<>(List.of(Build.java()));
    command.addAll(Build.JVM);
    command.addAll(List.of("-cp", build.ycsb(), "site.ycsb.Client", "-t"));
    command.addAll(List.of("-db", "site.ycsb.BasicDB", "-threads", Integer.toString(threads)));
    for (String property :
        List.of(
            "basicdb.verbose=false",
            "workload=site.ycsb.workloads.CoreWorkload",
            "recordcount=" + RECORDS,
            "operationcount=" + operations,
            "readproportion=0.5",
            "updateproportion=0.5",
            "scanproportion=0",
            "insertproportion=0",
            "requestdistribution=zipfian",
            "fieldcount=1",
            "fieldlength=" + Work.VALUE_BYTES)) {
      command.addAll(List.of("-p", property));
    }
    command.addAll(options);
    return Tool.run(command, YCSB_SETTLE_SECONDS, folder.resolve("ycsb.log"));
  }

  /** The histogram with {@code tag} that the worker left in {@code folder}. */
  private static Histogram histogram(Path folder, String tag) throws IOException {
    try (InputStream in = Files.newInputStream(folder.resolve("latency.hlog"));
        HistogramLogReader reader = new HistogramLogReader(in)) {
      while (reader.hasNext()) {
        EncodableHistogram each = reader.nextIntervalHistogram();
        if (each instanceof Histogram histogram && tag.equals(each.getTag())) {
          return histogram;
        }
      }
    }
    throw new IOException("no " + tag + " in " + folder);
  }
}
