package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import kvrank.failure.Cause;
import kvrank.worker.call.NoopBinding;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The worker as the controller sees it: a process, its standard streams and its files. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class WorkerProcessTest {

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process java(Class<?> main, String... arguments) throws IOException {
    return start(command(System.getProperty("java.class.path"), main, arguments));
  }

  private static List<String> command(String classpath, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-cp", classpath));
    command.add(main.getName());
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private Process start(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(folder.resolve("worker.log").toFile()).start();
    processes.add(process);
    return process;
  }

  private Process worker(Specs specs) throws IOException {
    Process process = java(Main.class);
    tell(process.outputWriter(), new WorkerCommand.Spec(specs.spec()));
    return process;
  }

  private static WorkerMessage next(BufferedReader reports) throws IOException {
    WorkerMessage report = WorkerMessage.decode(reports.readLine()).orElseThrow();
    return report instanceof WorkerMessage.Progress ? next(reports) : report;
  }

  private static void tell(Writer worker, WorkerCommand command) throws IOException {
    worker.write(command.encode() + "\n");
    worker.flush();
  }

  private static int exitOf(Process process) throws InterruptedException {
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  @Test
  void refusesACommandBeforeItsSpec() throws Exception {
    Process process = java(Main.class);
    try (BufferedReader reports = process.inputReader();
        Writer worker = process.outputWriter()) {
      tell(worker, new WorkerCommand.Start("load"));
      assertThat(next(reports))
          .isEqualTo(
              new WorkerMessage.Failed(
                  "", Cause.HARNESS, "the controller said 'Start[phase=load]' before a spec"));
      assertThat(exitOf(process)).isEqualTo(1);
    }
  }

  /** Histograms for each of its connections would take ten times the heap of this process. */
  @Test
  void aThreadMayHaveThousandsOfConnections() throws Exception {
    Specs specs =
        new Specs(folder.resolve("out"))
            .binding(NoopBinding.class)
            .load(Distribution.RANDOM, 1, 1)
            .connections(2_000)
            .mix(Map.of(Operation.READ, 1, Operation.UPDATE, 1), 2, 1, 30_000);
    Process process = worker(specs);
    try (BufferedReader reports = process.inputReader();
        Writer worker = process.outputWriter()) {
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Ready.class);
      tell(worker, new WorkerCommand.Start("load"));
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Measuring.class);
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Finished.class);
      tell(worker, new WorkerCommand.Start("mix1"));
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Measuring.class);
      PhaseResult mix = ((WorkerMessage.Finished) next(reports)).result();
      assertThat(mix.operations().values().stream().mapToLong(OperationCount::ok).sum())
          .isEqualTo(30_000);
      tell(worker, new WorkerCommand.Stop());
      assertThat(exitOf(process)).isZero();
    }
  }

  @Test
  void doesARunAndLeavesItsFiles() throws Exception {
    Process process =
        worker(
            new Specs(folder.resolve("out"))
                .binding(TalkativeBinding.class)
                .load(Distribution.RANDOM, 2, 1)
                .mix(Map.of(Operation.READ, 1, Operation.UPDATE, 1), 2, 1, 10_000));
    try (BufferedReader reports = process.inputReader();
        Writer worker = process.outputWriter()) {
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Ready.class);
      tell(worker, new WorkerCommand.Start("load"));
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Measuring.class);
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Finished.class);
      long before = System.nanoTime();
      tell(worker, new WorkerCommand.Start("mix1"));
      WorkerMessage.Measuring measuring = (WorkerMessage.Measuring) next(reports);
      assertThat(measuring.phase()).isEqualTo("mix1");
      // By the clock of this process.
      assertThat(measuring.nanos()).isBetween(before, System.nanoTime());
      WorkerMessage.Finished finished = (WorkerMessage.Finished) next(reports);
      tell(worker, new WorkerCommand.Stop());
      assertThat(exitOf(process)).isZero();

      Map<String, Long> totals = LatencyLog.totals(folder.resolve("out"));
      assertThat(totals.keySet())
          .filteredOn(tag -> !tag.endsWith("/hiccup"))
          .containsExactly("load/insert", "mix1/read", "mix1/update");
      assertThat(totals).containsEntry("load/insert", 1000L);
      finished
          .result()
          .operations()
          .forEach((o, count) -> assertThat(totals.get("mix1/" + o)).isEqualTo(count.ok()));
    }
    assertThat(folder.resolve("worker.log")).content().contains("the binding says hello");
    assertThat(Files.readAllLines(folder.resolve("out/timeline.csv")))
        .hasSizeGreaterThan(3)
        .first()
        .isEqualTo("phase,second,elapsed_ms,warmup,operation,ok,not_found,errors,p99_nanos");
  }

  @Test
  void endsWhenTheControllerIsGone() throws Exception {
    Process process = worker(new Specs(folder).load(Distribution.SEQUENTIAL, 1, 1));
    try (BufferedReader reports = process.inputReader()) {
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Ready.class);
      process.outputWriter().close();
      assertThat(exitOf(process)).isEqualTo(3);
    }
  }

  /** Classes come from jars, as in an installation, which the JVM has open already. */
  @Test
  void reportsThatItCanOpenNoMoreFilesWhateverTheEngineSays() throws Exception {
    List<String> jars = jars();
    String limit = "ulimit -n %d; exec \"$@\"".formatted(jars.size() + 75);
    List<String> command = new ArrayList<>(List.of("sh", "-c", limit, "sh"));
    command.addAll(command(String.join(File.pathSeparator, jars), Main.class));
    Process process = start(command);
    try (BufferedReader reports = process.inputReader();
        Writer worker = process.outputWriter()) {
      Specs specs =
          new Specs(folder)
              .binding(FaultyBinding.class)
              .property("fault", "opens files")
              .records(2_000)
              .load(Distribution.SEQUENTIAL, 1, 1);
      tell(worker, new WorkerCommand.Spec(specs.spec()));
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Ready.class);
      tell(worker, new WorkerCommand.Start("load"));
      assertThat(next(reports)).isInstanceOf(WorkerMessage.Measuring.class);
      assertThat(next(reports))
          .isInstanceOfSatisfying(
              WorkerMessage.Failed.class,
              failed -> {
                assertThat(failed.cause()).isEqualTo(Cause.MACHINE);
                assertThat(failed.message())
                    .startsWith("the worker can open no more files: 1000 requests of one thread");
              });
      assertThat(exitOf(process)).isEqualTo(1);
    }
  }

  /** Returns this test's class path with a jar for each folder. */
  private List<String> jars() throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = folder.resolve(entries.size() + ".jar");
      boolean packed =
          Files.isDirectory(Path.of(entry))
              && ToolProvider.findFirst("jar")
                      .orElseThrow()
                      .run(System.out, System.err, "cf", jar.toString(), "-C", entry, ".")
                  == 0;
      entries.add(packed ? jar.toString() : entry);
    }
    return entries;
  }

  @Test
  void failsAndSaysWhy() throws Exception {
    Process process =
        worker(
            new Specs(folder)
                .load(Distribution.SEQUENTIAL, 1, 1)
                .property("refuse", "127.0.0.1:1 does not answer"));
    try (BufferedReader reports = process.inputReader()) {
      assertThat(next(reports))
          .isEqualTo(new WorkerMessage.Failed("", Cause.ENGINE, "127.0.0.1:1 does not answer"));
      assertThat(exitOf(process)).isEqualTo(1);
    }
    assertThat(folder.resolve("worker.log")).content().contains("DBException");
  }

  /** Every operation, drawn by every distribution, and a load in each order. */
  private Specs everything(Class<?> engine, long seed) {
    Map<Operation, Integer> mix = new TreeMap<>();
    for (Operation operation :
        EnumSet.complementOf(EnumSet.of(Operation.FILL, Operation.TRANSACTION))) {
      mix.put(operation, 1 + mix.size());
    }
    Specs specs =
        new Specs(folder)
            .binding(engine)
            .seed(seed)
            .values(
                new ValueShape(
                    ValueShape.Kind.JSON,
                    ValueSizes.between(200, 900, ValueSizes.Spread.ZIPFIAN),
                    0),
                true)
            .load(Distribution.RANDOM, 2, 1);
    for (Distribution distribution : Distribution.values()) {
      specs.mix(distribution, mix, 3, 4, 1_000_000);
    }
    return specs;
  }

  private List<String> digests(Specs specs) throws Exception {
    Path file = folder.resolve("digest.properties");
    specs.spec().write(file);
    Process process = java(StreamDigest.class, file.toString(), "2000");
    try (BufferedReader lines = process.inputReader()) {
      List<String> digests = lines.lines().toList();
      assertThat(exitOf(process)).isZero();
      return digests;
    }
  }

  @Test
  void anotherJvmAndAnotherEngineGetTheSameStream() throws Exception {
    List<String> digests = digests(everything(NoopBinding.class, 42));
    assertThat(digests).hasSize(2 + 3 * Distribution.values().length).doesNotHaveDuplicates();
    assertThat(digests.get(0)).matches("load 0 500 [0-9a-f]{64}");
    assertThat(digests.get(2)).matches("mix1 0 2000 [0-9a-f]{64}");
    assertThat(digests(everything(MemoryBinding.class, 42))).isEqualTo(digests);
    assertThat(StreamDigest.lines(everything(MemoryBinding.class, 42).spec(), 2000))
        .isEqualTo(digests);
    assertThat(digests(everything(NoopBinding.class, 43))).doesNotContainAnyElementsOf(digests);
  }

  @Test
  void aDigestOfNothingIsRefused() throws Exception {
    Process process = java(StreamDigest.class, folder.resolve("missing").toString());
    assertThat(exitOf(process)).isEqualTo(2);
  }
}
