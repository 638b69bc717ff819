package kvrank.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.benchmarks.binding.AllocationBinding;
import kvrank.benchmarks.binding.CallBinding;
import kvrank.benchmarks.table.Figure;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;

/** kvrank's side: one worker JVM, started and told what to do as the controller does it. */
final class WorkerRun {

  private final Process process;
  private final BufferedReader reports;
  private final Writer commands;
  private final Path log;

  private WorkerRun(Process process, Path log) {
    this.process = process;
    this.reports = process.inputReader(StandardCharsets.US_ASCII);
    this.commands = process.outputWriter(StandardCharsets.US_ASCII);
    this.log = log;
  }

  /**
   * What the last phase did.
   *
   * @param log what the worker and the binding printed
   */
  record Outcome(PhaseResult phase, double cpuSeconds, String log) {

    double perSecond() {
      return operations() / (phase.elapsedNanos() / 1e9);
    }

    double operations() {
      return phase.operations().values().stream().mapToLong(OperationCount::ok).sum();
    }

    Figure throughput() {
      return new Figure(perSecond(), cpuSeconds * 1e6 / operations());
    }

    /** Bytes per operation, as {@link AllocationBinding} says. */
    Figure allocation() throws IOException {
      return said("bytes per operation");
    }

    /** Nanoseconds per call, as {@link CallBinding} says. */
    Figure nanosPerCall() throws IOException {
      return said("ns per call");
    }

    private Figure said(String what) throws IOException {
      return Figure.of(new Tool.Outcome(log, 0).number(what + ": ([0-9.E-]+)"));
    }
  }

  /** Looks at a worker while its phases go. */
  interface Observer {

    /** Begins to observe a worker that is ready; the result ends it. */
    Runnable observe(long pid);
  }

  /** Does all phases of {@code spec}, unobserved, in a JVM with more {@code flags}. */
  static Outcome of(WorkerSpec spec, String classpath, String... flags)
      throws IOException, InterruptedException {
    return of(spec, classpath, pid -> () -> {}, flags);
  }

  /** Does all phases of {@code spec}. */
  static Outcome of(WorkerSpec spec, String classpath, Observer observer, String... flags)
      throws IOException, InterruptedException {
    Files.createDirectories(spec.output());
    spec.write(spec.output().resolve("worker.properties"));
    List<String> command = new ArrayList<>(List.of(Build.java()));
    command.addAll(Build.JVM);
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", classpath, "kvrank.worker.Main"));
    Path log = spec.output().resolve("worker.log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    try {
      WorkerRun run = new WorkerRun(process, log);
      run.tell(new WorkerCommand.Spec(spec));
      return run.phases(spec.phases(), observer);
    } finally {
      process.destroyForcibly();
    }
  }

  private Outcome phases(List<WorkerPhase> phases, Observer observer)
      throws IOException, InterruptedException {
    next(WorkerMessage.Ready.class);
    Runnable end = observer.observe(process.pid());
    try {
      return phases(phases);
    } finally {
      end.run();
    }
  }

  private Outcome phases(List<WorkerPhase> phases) throws IOException, InterruptedException {
    Optional<PhaseResult> result = Optional.empty();
    long ticks = 0;
    for (WorkerPhase phase : phases) {
      tell(new WorkerCommand.Start(phase.name()));
      next(WorkerMessage.Measuring.class);
      long before = Machine.ticks(process.pid());
      PhaseResult finished = next(WorkerMessage.Finished.class).result();
      ticks = Machine.ticks(process.pid()) - before;
      for (OperationCount count : finished.operations().values()) {
        if (count.notFound() > 0 || !count.errors().isEmpty()) {
          throw new IOException(phase.name() + ": " + finished);
        }
      }
      result = Optional.of(finished);
    }
    tell(new WorkerCommand.Stop());
    process.waitFor();
    return new Outcome(
        result.orElseThrow(), ticks / Machine.TICKS_PER_SECOND, Files.readString(log));
  }

  private void tell(WorkerCommand command) throws IOException {
    commands.write(command.encode() + "\n");
    commands.flush();
  }

  private <R extends WorkerMessage> R next(Class<R> type) throws IOException {
    for (String line = reports.readLine(); line != null; line = reports.readLine()) {
      Optional<WorkerMessage> report = WorkerMessage.decode(line);
      if (report.isPresent() && report.get() instanceof WorkerMessage.Failed failed) {
        throw new IOException(failed.message());
      }
      if (report.isPresent() && type.isInstance(report.get())) {
        return type.cast(report.get());
      }
    }
    throw new IOException("the worker ended; see " + log);
  }
}
