package kvrank.run.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.TrustedPath;
import kvrank.plan.RunSpec;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ConnectionWatch;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.run.crash.CrashWrites.Killed;
import kvrank.run.worker.BrokenException;
import kvrank.run.worker.WorkerProcess;
import kvrank.run.worker.WorkerSpecFactory;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.worker.protocol.CrashFindings;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;

/**
 * One crash, a {@code life} after the first acknowledgement.
 *
 * @param number of the power cut among those of all repetitions, from 0
 * @param hidden who ended the attempts of all crashes that ended after the kill
 * @param left receives the reason if the data could not be removed
 */
record CrashTrial(
    CrashTrials trials,
    ServerSpec spec,
    ClientSettings clients,
    Path folder,
    Duration life,
    long seed,
    Optional<PowerCut> cut,
    int number,
    List<Cause> hidden,
    List<Failure> left) {

  /** The time for the check of a record, besides {@link CrashTrials#ANSWER}. */
  private static final Duration CHECK = Duration.ofNanos(100_000);

  private static final String CONTAINER =
      "the data of a container is not on the simulated disk; install the engine or name its"
          + " 'executable' in 'server'";

  private boolean embedded() {
    return spec.method() == ProvisionMethod.EMBEDDED;
  }

  Optional<String> unsupported() {
    return cut.isPresent() && spec.method() == ProvisionMethod.CONTAINER
        ? Optional.of(CONTAINER)
        : Optional.empty();
  }

  /** Crashes the engine and leaves only {@code folder}; throws if it was not under load. */
  Crash crash() throws IOException, InterruptedException, ProvisionException, BrokenException {
    TrustedPath.createFolder(folder);
    if (cut.isEmpty()) {
      return crash(spec.hiding(folder), Optional.empty());
    }
    try (VolatileDisk disk = trials.provisioner().disk(spec.data(), cut.get())) {
      Path onDisk = disk.data().resolve("data");
      ServerSpec place = spec.hiding(folder).in(onDisk, disk.boot(onDisk));
      PowerLoss loss = new PowerLoss(disk, cut.get(), number, seed, inFlight());
      try {
        return crash(place, Optional.of(loss));
      } catch (BrokenException | ProvisionException e) {
        loss.requireDisk();
        throw e;
      }
    }
  }

  private Crash crash(ServerSpec place, Optional<PowerLoss> loss)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    try (Server server = trials.provisioner().start(place)) {
      if (loss.isPresent()) {
        // They go with the disk, whatever the engine did to them.
        server.keep();
      }
      Killed killed = write(server, place, loss);
      Optional<CrashTrialResult.PowerCut> powerCut = Optional.empty();
      if (loss.isPresent()) {
        try {
          powerCut = Optional.of(loss.get().recover(flushesNeeded(killed.acknowledged())));
        } catch (ProvisionException e) {
          hidden.add(e.failure().cause());
          throw e;
        }
        // Its creation may be lost, too.
        Files.createDirectories(place.data());
      }
      Crash crash = check(server, place, killed, powerCut, loss);
      server.remove().ifPresent(left::add);
      return crash;
    }
  }

  /** Returns the largest number of writes in flight. */
  private int inFlight() {
    return Math.toIntExact(clients.inFlight() * clients.batch());
  }

  /**
   * Returns the fewest flushes with which {@code writes} can be durable, halved for writes in
   * flight: a flush serves all that wait.
   */
  private long flushesNeeded(long writes) {
    Fsync level = trials.run().fsync();
    if (!level.promises() || writes < Crash.ENOUGH) {
      return 0;
    }
    return level.kind() == Fsync.Kind.ON ? Math.max(1, writes / inFlight() / 2) : 1;
  }

  /** Kills the engine while a worker writes. */
  private Killed write(Server server, ServerSpec place, Optional<PowerLoss> loss)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    try (WorkerProcess worker = start(server, place, WorkerPhase.Kind.CRASH_WRITES, "writes");
        ConnectionWatch watch = server.watch(worker.pids())) {
      return new CrashWrites(folder, clients, life, embedded(), hidden)
          .untilKilled(worker, server, watch, loss);
    }
  }

  private Crash check(
      Server server,
      ServerSpec place,
      Killed killed,
      Optional<CrashTrialResult.PowerCut> powerCut,
      Optional<PowerLoss> loss)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    long start = System.nanoTime();
    OptionalLong restart = OptionalLong.empty();
    LostWrites losses;
    Optional<Failure> intrusion;
    try {
      server.restart();
      // Of this process and what it starts.
      List<Long> ours = List.of(ProcessHandle.current().pid());
      if (!embedded()) {
        restart = OptionalLong.of(System.nanoTime() - start);
      }
      try (ConnectionWatch watch = server.watch(ours);
          WorkerProcess worker = start(server, place, WorkerPhase.Kind.CRASH_CHECK, "check")) {
        worker.await(WorkerMessage.Ready.class, server, CrashTrials.ANSWER, message -> {});
        if (embedded()) {
          restart = OptionalLong.of(System.nanoTime() - start);
        }
        worker.tell(new WorkerCommand.Check("crash", killed.counts()));
        Duration most = CrashTrials.ANSWER.plus(CHECK.multipliedBy(killed.acknowledged()));
        CrashFindings findings =
            worker
                .await(
                    WorkerMessage.CrashChecked.class,
                    server,
                    CrashTrials.ANSWER,
                    most,
                    message -> {})
                .findings();
        Facts facts =
            worker
                .await(WorkerMessage.Finished.class, server, CrashTrials.ANSWER, message -> {})
                .result()
                .facts();
        losses = lost(findings, killed);
        OptionalLong others = server.othersConnections(facts.count(Fact.CONNECTIONS_OPENED));
        intrusion =
            CrashBlame.intrusion(server.open(), killed.others() + others.orElse(0), watch.end());
        worker.stop(CrashTrials.ANSWER);
      }
    } catch (BrokenException | ProvisionException e) {
      if (hides(e, server, loss)) {
        throw e;
      }
      String problem = restart.isPresent() ? "could not be checked: " : "did not restart: ";
      String reason = problem + CrashBlame.failure(e).message();
      Crash crash = killed.crash(restart, Optional.empty(), reason, powerCut);
      return restart.isEmpty() && CrashBlame.late(e)
          ? crash.silent(CrashTrials.ANSWER.toNanos())
          : crash;
    }
    if (intrusion.isPresent()) {
      hidden.add(Cause.HARNESS); // not the engine's way to hide them
      throw new BrokenException(intrusion.get());
    }
    if (loss.isPresent() && !breaks(losses)) {
      loss.get().refuseSyncs();
    }
    return killed.crash(restart, Optional.of(losses), "", powerCut);
  }

  /** Returns whether the engine lost more than its level permits, which no sync can cause. */
  private boolean breaks(LostWrites losses) {
    long interval = trials.run().fsync().interval().toNanos();
    return losses.wrong() > 0
        || (losses.lost() > 0 && losses.oldestLostNanos().orElse(interval) >= interval);
  }

  /** Returns whether {@code e} is not the engine's doing, and records that it hides its losses. */
  private boolean hides(Exception e, Server server, Optional<PowerLoss> loss)
      throws ProvisionException {
    try {
      if (loss.isPresent()) {
        loss.get().requireDisk();
      }
    } catch (ProvisionException failed) {
      hidden.add(failed.failure().cause());
      throw failed;
    }
    return CrashBlame.excused(e, server.crowded(), hidden);
  }

  private static LostWrites lost(CrashFindings findings, Killed killed) {
    Optional<CrashFindings.Span> lost = findings.lost();
    return new LostWrites(
        findings.checked(),
        findings.lostInserts(),
        findings.lostUpdates(),
        findings.lostDeletes(),
        findings.wrongValues(),
        findings.unexpectedKeys(),
        findings.example(),
        lost.stream().mapToLong(span -> killed.age(span.oldestNanos())).findFirst(),
        lost.stream().mapToLong(span -> killed.age(span.newestNanos())).findFirst());
  }

  private WorkerProcess start(Server server, ServerSpec place, WorkerPhase.Kind kind, String name)
      throws IOException, ProvisionException {
    Path file = folder.resolve(name + ".properties");
    RunSpec run = trials.run();
    WorkerSpec crash =
        WorkerSpecFactory.crash(run, kind, clients, seed, server.connection(), folder);
    crash.write(file);
    WorkerProcess worker =
        trials
            .workers()
            .start(
                run, embedded() ? place.boot() : Optional.empty(), folder.resolve(name + ".log"));
    worker.begin(crash, server.credentials());
    return worker;
  }
}
