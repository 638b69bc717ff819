package kvrank.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.machine.CpuSets;
import kvrank.plan.RunSpec;
import kvrank.scenario.CpuList;
import kvrank.scenario.EngineDefinition;

/** Starts the workers of runs, one after the other. */
final class Workers {

  /**
   * The worker's JVM: one stop-the-world collector without concurrent threads that would compete
   * with the engine for cores, and a heap that the harness never fills.
   */
  private static final List<String> JVM =
      List.of("-XX:+UseParallelGC", "-Xms256m", "-Xmx2g", "-XX:-UsePerfData");

  private final WorkerClasspath classpath;
  private final CpuSets cpus;
  private WorkerProcess current;
  private boolean aborted;

  /**
   * @param cpus what workers run on
   */
  Workers(WorkerClasspath classpath, CpuSets cpus) {
    this.classpath = classpath;
    this.cpus = cpus;
  }

  /** Returns the flags of the JVM of {@code engine}'s workers. */
  static List<String> jvm(EngineDefinition engine) {
    List<String> jvm = new ArrayList<>(JVM);
    jvm.addAll(engine.binding().jvm());
    return List.copyOf(jvm);
  }

  /**
   * Starts a worker of {@code run}, which waits for what it is to do; one that has been killed
   * already if none is wanted any more.
   *
   * @param log where everything goes that the worker and the binding print
   */
  synchronized WorkerProcess start(RunSpec run, Path log) throws IOException {
    EngineDefinition engine = run.engine().definition();
    String path = classpath.of(engine, workloadPath(run));
    Optional<String> own = cpus.worker(engine.server().isEmpty()).map(CpuList::label);
    List<String> flags = new ArrayList<>(jvm(engine));
    classpath.archive().ifPresent(archive -> flags.add("-XX:SharedArchiveFile=" + archive));
    WorkerProcess worker = WorkerProcess.start(own, path, flags, log);
    current = worker;
    if (aborted) {
      worker.close();
    }
    return worker;
  }

  /** Ends the worker that runs, and every one after it. Safe to call from a shutdown hook. */
  synchronized void abort() {
    aborted = true;
    if (current != null) {
      current.close();
    }
  }

  /** Returns where the classes of hosted workloads are. */
  private static List<Path> workloadPath(RunSpec run) {
    return run.supportedPhases().stream()
        .flatMap(phase -> phase.spec().workload().hosted().stream())
        .flatMap(hosted -> hosted.classpath().stream())
        .distinct()
        .toList();
  }
}
