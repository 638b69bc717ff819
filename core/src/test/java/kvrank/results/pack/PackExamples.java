package kvrank.results.pack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.results.Json;
import kvrank.results.LatencyLog;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Results on disk whose figures agree, with private texts in every place that can have one. */
public final class PackExamples {

  static final String HOST = "build-box.corp.example";
  static final String USER = "alice.liddell";

  /** Texts that a pack must not have. */
  static final List<String> PRIVATE =
      List.of(
          HOST,
          "build-box",
          "build--box",
          USER,
          "/home/",
          "/srv/",
          "hunter2",
          "s3cr3t",
          "10.1.2.3",
          "db7.corp.example",
          "loader-9",
          "server log");

  private PackExamples() {}

  /** Writes an execution of two engines and three repetitions to a new folder in {@code parent}. */
  public static ResultsDirectory execution(Path parent, double speed) throws IOException {
    List<RunRecord> runs = new ArrayList<>();
    Map<RunRecord, Histogram> latencies = new TreeMap<>((a, b) -> a.id().compareTo(b.id()));
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (String engine : List.of("redis", "rocksdb")) {
        long count = Math.round(1000 * speed * (engine.equals("redis") ? 1 : 3)) + repetition;
        Histogram histogram = new Histogram(3);
        for (long i = 0; i < count; i++) {
          histogram.recordValue(1000 + 7 * i);
        }
        RunRecord run = run(engine, repetition, histogram);
        runs.add(run);
        latencies.put(run, histogram);
      }
    }
    runs.add(failed());
    Manifest manifest =
        Runs.manifest("redis", "rocksdb")
            .scenario("mine")
            .question("Which is faster on build-box?")
            .phases("get")
            .factor("fsync", "off")
            .repetitions(4)
            .runs(runs)
            .build();
    ResultsDirectory results = ResultsDirectory.create(parent, Runs.THEN);
    results.begin(
        """
        name: mine
        engines:
          - engine: redis
            server:
              process: /srv/build-box/redis-server
              user: alice.liddell
              password: {env: KVRANK_PASSWORD}
          - engine: rocksdb
            external: redis://bob:hunter2@db7.corp.example:6379
        """,
        Json.file(manifest),
        new Facts()
            .put(Fact.HOST, HOST)
            .put(Fact.CPU_MODEL, "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz")
            .put(Fact.CPU_CORES, 8)
            .put(Fact.STORAGE_DEVICE, "mapper/build--box--vg-root")
            .put(Fact.STORAGE_MEDIUM, "ssd"));
    for (RunRecord run : runs) {
      RunDirectory folder = results.run(run.id());
      folder.write(run);
      Files.writeString(folder.serverLog(), "a server log of " + HOST + "\n");
      Files.writeString(
          folder.generators(),
          "phase,generator,host,cores\nget,0,loader-9,8\n",
          StandardCharsets.UTF_8);
      if (latencies.containsKey(run)) {
        log(folder.latencyLog(), latencies.get(run));
      }
    }
    return results;
  }

  static void log(Path file, Histogram histogram) throws IOException {
    try (PrintStream out = new PrintStream(Files.newOutputStream(file), true, "UTF-8")) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputLegend();
      histogram.setTag("get/read");
      histogram.setStartTimeStamp(1000);
      histogram.setEndTimeStamp(2000);
      writer.outputIntervalHistogram(histogram);
    }
  }

  private static RunRecord run(String engine, int repetition, Histogram histogram) {
    OperationRecord read =
        new OperationRecord(
            histogram.getTotalCount(),
            0,
            new TreeMap<>(),
            histogram.getTotalCount() / 10.0,
            Optional.of(LatencyLog.summary(histogram)));
    PhaseRecord phase = Runs.phase("get").at("fsync", "off").operation("read", read).build();
    return Runs.run(engine)
        .at("fsync", "off")
        .repetition(repetition)
        .note("started by alice.liddell on build-box")
        .facts(
            Map.of(
                Fact.SERVER_HOST.label(), "10.1.2.3",
                Fact.EXECUTABLE.label(), "/home/alice.liddell/bin/redis-server",
                Fact.SETTING.named("requirepass"), "s3cr3t",
                Fact.ENGINE.named("config_file"), "/srv/redis.conf",
                Fact.ENGINE_VERSION.label(), "7.0.15.1",
                Fact.GENERATORS_HOSTS.label(), "loader-9, " + HOST))
        .phases(phase)
        .build();
  }

  private static RunRecord failed() {
    return Runs.run("redis")
        .at("fsync", "off")
        .repetition(4)
        .outcome(
            new Outcome.Failed(
                "",
                Cause.ENGINE,
                "cannot open '/home/alice.liddell/my data', unix:///srv/x.sock: redis://x:hunter2@10.1.2.3:6379"))
        .build();
  }
}
