package kvrank.run.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.failure.Cause;
import kvrank.results.RunDirectory;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;

/**
 * Runs one phase as a run does: in a single worker, or in a single generator.
 *
 * @param result the result of the phase
 * @param startSeconds from before the worker was started until its requests began to count
 */
public record OneGenerator(PhaseResult result, double startSeconds) {

  /**
   * Does the only phase of {@code spec}.
   *
   * @param gates whether it goes through the gates
   * @throws IOException if the worker fails or ends before
   */
  public static OneGenerator of(boolean gates, WorkerSpec spec, String classpath, List<String> jvm)
      throws IOException, InterruptedException {
    RunDirectory directory = new RunDirectory(spec.output());
    spec.write(directory.workerSpec());
    long start = System.nanoTime();
    try (WorkerProcess worker = start(gates, directory, classpath, jvm)) {
      worker.begin(spec, new TreeMap<>());
      next(worker, WorkerMessage.Ready.class);
      worker.tell(new WorkerCommand.Start(spec.phases().get(0).name()));
      long began = next(worker, WorkerMessage.Measuring.class).nanos();
      PhaseResult result = next(worker, WorkerMessage.Finished.class).result();
      worker.stop(Duration.ofSeconds(10));
      return new OneGenerator(result, (began - start) / 1e9);
    }
  }

  private static WorkerProcess start(
      boolean gates, RunDirectory directory, String classpath, List<String> jvm)
      throws IOException {
    Path log = directory.workerLog();
    return gates
        ? WorkerProcess.start(LoadLauncher.LOCAL, 1, classpath, jvm, new TreeMap<>(), directory)
        : WorkerProcess.start(
            Optional.empty(), Optional.empty(), List.of(), classpath, jvm, new TreeMap<>(), log);
  }

  private static <R extends WorkerMessage> R next(WorkerProcess worker, Class<R> type)
      throws IOException, InterruptedException {
    while (!worker.dead()) {
      WorkerMessage report = worker.next(Duration.ofSeconds(1)).orElse(null);
      if (type.isInstance(report)) {
        return type.cast(report);
      }
      if (report instanceof WorkerMessage.Failed failed) {
        throw new IOException(failed.message());
      }
    }
    throw new IOException(worker.death(Cause.HARNESS).orElseThrow().message());
  }
}
