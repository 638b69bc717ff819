package kvrank.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Facts;
import kvrank.input.InvalidInputException;
import kvrank.input.Reason;
import kvrank.machine.Storage;
import kvrank.machine.SyncProbe;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.run.measure.ExecutionListener;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.workload.Dataset;

/** Looks at what the engines' data will be on before any of them is started. */
record StorageCheck(Plan plan, Path folder, Storage storage, ExecutionListener listener) {

  /** Long enough to know an idle disk from a busy one; a scenario without fsync waits no longer. */
  private static final Duration BRIEF = Duration.ofMillis(200);

  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int INTERVALS = 10;
  private static final Duration SYNCS = Duration.ofSeconds(2);

  /**
   * Looks at where the engines will keep their data, which is {@code results} unless the scenario
   * names another folder, and need not exist; refuses what cannot be measured there.
   */
  static StorageCheck of(Plan plan, Path results, ExecutionListener listener)
      throws InvalidInputException, IOException {
    Path folder = plan.scenario().data().orElse(results).toAbsolutePath();
    StorageCheck check = new StorageCheck(plan, folder, Storage.of(folder), listener);
    Fsync fsync = check.promised().findFirst().orElse(Fsync.OFF);
    Optional<String> problem = check.storage.problem(plan.scenario().medium(), fsync);
    if (problem.isEmpty() && check.keepsData()) {
      problem = check.storage.shortage(check.largestRun());
    }
    Preflight.refuse(plan, "storage", problem);
    return check;
  }

  /**
   * Syncs a file in the engines' folder, which is made if need be. Empty if that would say nothing
   * of them: all are servers that run elsewhere, or the folder is in memory.
   */
  Optional<SyncProbe> probe() throws InvalidInputException, InterruptedException {
    storage.warning(plan.scenario().medium()).ifPresent(listener::found);
    listener.found("storage: " + storage.summary());
    if (!keepsData() || storage.inMemory()) {
      return Optional.empty();
    }
    try {
      Files.createDirectories(folder);
      SyncProbe probe =
          SyncProbe.of(storage, folder, idle(), promised().findAny().isPresent() ? SYNCS : BRIEF);
      listener.found("storage: " + probe.summary());
      return Optional.of(probe);
    } catch (IOException e) {
      throw Preflight.refused(
          plan,
          "storage",
          "nothing can be written to '%s': %s; name another folder by %s"
              .formatted(
                  folder, Reason.of(e), plan.scenario().data().isPresent() ? "'data'" : "--out"));
    }
  }

  /** Returns what the environment's facts say of the storage. */
  Facts facts(Optional<SyncProbe> probe) {
    Facts facts = storage.facts(plan.scenario().medium());
    probe.ifPresent(measured -> facts.putAll(measured.facts()));
    return facts;
  }

  private Stream<Fsync> promised() {
    return plan.runs().stream().map(RunSpec::fsync).filter(Fsync::promises);
  }

  /** To tell a flush per interval from those of others takes several of the longest. */
  private Duration idle() {
    return promised()
        .map(fsync -> fsync.interval().multipliedBy(INTERVALS))
        .map(several -> several.compareTo(LONGEST) > 0 ? LONGEST : several)
        .map(several -> several.compareTo(IDLE) > 0 ? several : IDLE)
        .max(Comparator.naturalOrder())
        .orElse(BRIEF);
  }

  /** Returns whether any engine keeps its files here. */
  private boolean keepsData() {
    return plan.supported().stream()
        .map(run -> run.engine().server().map(ServerChoice::method))
        .anyMatch(method -> !method.equals(Optional.of(ProvisionMethod.EXTERNAL)));
  }

  /** Bytes of keys and values that the largest run loads at least. */
  private long largestRun() {
    return plan.supported().stream().mapToLong(StorageCheck::loadedBytes).max().orElse(0);
  }

  private static long loadedBytes(RunSpec run) {
    Dataset dataset = run.dataset();
    return dataset.records() * (dataset.keys().bytes() + (long) dataset.values().sizes().min());
  }
}
