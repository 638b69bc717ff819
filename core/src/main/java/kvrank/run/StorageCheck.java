package kvrank.run;

import java.io.IOException;
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
import kvrank.input.TrustedPath;
import kvrank.machine.Storage;
import kvrank.machine.SyncProbe;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.run.measure.ExecutionListener;
import kvrank.scenario.EngineSpec.ServerChoice;

/** Checks the storage of the engines' data before any engine starts. */
record StorageCheck(Plan plan, Path folder, Storage storage, ExecutionListener listener) {

  /** Enough to distinguish an idle disk from a busy one; scenarios without fsync wait no longer. */
  private static final Duration BRIEF = Duration.ofMillis(200);

  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int INTERVALS = 10;
  private static final Duration SYNCS = Duration.ofSeconds(2);

  /** Checks the folder for the data: {@code results}, which need not exist, or the scenario's. */
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

  /** Creates the engines' folder and probes it, unless no engine uses it or it is in memory. */
  Optional<SyncProbe> probe() throws InvalidInputException, InterruptedException {
    storage.warning(plan.scenario().medium()).ifPresent(listener::found);
    listener.found("storage: " + storage.summary());
    if (!keepsData() || storage.inMemory()) {
      return Optional.empty();
    }
    try {
      TrustedPath.createFolder(folder);
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

  Facts facts(Optional<SyncProbe> probe) {
    Facts facts = storage.facts(plan.scenario().medium());
    probe.ifPresent(measured -> facts.putAll(measured.facts()));
    return facts;
  }

  private Stream<Fsync> promised() {
    return plan.runs().stream().map(RunSpec::fsync).filter(Fsync::promises);
  }

  /** Several of the longest intervals, to distinguish their flushes from those of others. */
  private Duration idle() {
    return promised()
        .map(fsync -> fsync.interval().multipliedBy(INTERVALS))
        .map(several -> several.compareTo(LONGEST) > 0 ? LONGEST : several)
        .map(several -> several.compareTo(IDLE) > 0 ? several : IDLE)
        .max(Comparator.naturalOrder())
        .orElse(BRIEF);
  }

  private boolean keepsData() {
    return plan.supported().stream()
        .map(run -> run.engine().server().map(ServerChoice::method))
        .anyMatch(method -> !method.equals(Optional.of(ProvisionMethod.EXTERNAL)));
  }

  /** Returns the minimum bytes of keys and values that the largest run loads. */
  private long largestRun() {
    return plan.supported().stream()
        .map(RunSpec::dataset)
        .mapToLong(d -> d.records() * (d.keys().bytes() + (long) d.values().sizes().min()))
        .max()
        .orElse(0);
  }
}
