package kvrank.run.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.machine.MachineCheck;
import kvrank.machine.Sampling;
import kvrank.plan.RunSpec;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.provision.Provisioner;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Signal;
import kvrank.provision.server.ConnectionWatch;
import kvrank.provision.server.PortTakenException;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.SilentException;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.Load;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.run.measure.RunExecutor.Task;
import kvrank.run.worker.WorkerLauncher;
import kvrank.run.worker.WorkerProcess;
import kvrank.run.worker.WorkerProcess.BrokenException;
import kvrank.run.worker.WorkerSpecFactory;
import kvrank.scenario.CrashTest;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.worker.check.AckCounters;
import kvrank.worker.protocol.CrashFindings;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientSettings;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Limits;

/**
 * Crashes an engine repeatedly, each time with fresh data: writes, SIGKILL, restart, check. In a
 * power cut, the data is on a disk that stands still before SIGKILL and then loses what it did not
 * flush.
 */
record CrashTrials(Task task, Provisioner provisioner, WorkerLauncher workers, Path data) {

  private static final Duration POLL = Duration.ofMillis(100);

  /** How often the controller wakes up during the writes, to notice a {@link Standstills pause}. */
  private static final Duration LOOK = Duration.ofMillis(10);

  private static final Duration ACKNOWLEDGEMENT_LOOK = Duration.ofNanos(20_000);

  /** How often processes that a signal stopped are continued. */
  private static final Duration CONTINUE = Duration.ofMillis(500);

  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(10);
  private static final Duration EARLIEST = Duration.ofMillis(500);
  private static final Duration LATEST = Duration.ofSeconds(4);

  /** An engine could compute what a known seed draws: moments, records, lost sectors. */
  private static final SecureRandom RANDOM = new SecureRandom();

  /** How long the kill is delayed at most, until a write is acknowledged. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  /** Without an answer for this long, an engine does not restart, or cannot be read. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  /** The time for the check of a record, besides {@link #ANSWER}. */
  private static final Duration CHECK = Duration.ofNanos(100_000);

  /** How often a power cut is tried. */
  private static final int ATTEMPTS = 3;

  /** Each client of a crash test is a thread. */
  private static final int MOST_CLIENTS = 128;

  private static final String CONTAINER =
      "the data of a container is not on the simulated disk; install the engine or name its"
          + " 'executable' in 'server'";

  /** Executes all crashes; the first that fails ends the test, with the reason. */
  CrashTrialResult run(CrashTestSpec spec) throws IOException, InterruptedException {
    Load load =
        new Load(
            clients(spec.settings(), false).threads(),
            spec.settings().clients(),
            task.run().dataset().expires());
    return trials(spec).with(load);
  }

  private CrashTrialResult trials(CrashTestSpec spec) throws IOException, InterruptedException {
    CrashTest test = spec.test();
    boolean cuts = test.powerCut().isPresent();
    Optional<String> unsupported =
        spec.unsupported()
            .or(() -> test.powerCut().flatMap(cut -> provisioner.missing(cut.fileSystem())));
    List<Crash> crashes = new ArrayList<>();
    List<Cause> hidden = new ArrayList<>();
    for (int number = 1; number <= test.crashes() && unsupported.isEmpty(); number++) {
      task.listener().phase(task.run(), (cuts ? "power cut " : "crash ") + number);
      try {
        Trial trial = trial(spec, number, hidden);
        unsupported = trial.unsupported();
        if (unsupported.isEmpty()) {
          crashes.add(attempted(trial));
        }
      } catch (BrokenException | ProvisionException e) {
        return missing(cuts, crashes, number, failure(e));
      } catch (UncheckedIOException e) {
        String reason = "its data could not be removed: " + Reason.located(e);
        return missing(cuts, crashes, number, new Failure(Cause.of(e), reason));
      }
    }
    return unsupported
        .map(why -> CrashTrialResult.unsupported(cuts, why))
        .orElseGet(() -> new CrashTrialResult(cuts, crashes, ""));
  }

  private static CrashTrialResult missing(
      boolean cuts, List<Crash> crashes, int number, Failure why) {
    String event = cuts ? "power cut" : "crash";
    return new CrashTrialResult(
        cuts,
        crashes,
        "%s %d: %s".formatted(event, number, why.message()),
        Optional.of(why.cause()));
  }

  private static Failure failure(Exception e) {
    return e instanceof BrokenException broken
        ? broken.failure()
        : ((ProvisionException) e).failure();
  }

  /** Returns whether the engine cannot have caused {@code e} to hide a loss. */
  static boolean ofOthers(Exception e) {
    return e instanceof BrokenException broken
        ? broken.ofWorker()
        : e.getCause() instanceof PortTakenException;
  }

  /**
   * Returns whether a failure after a kill is not the engine's, and adds its cause to {@code
   * hidden}: an engine that ends for unknown reasons is excused once.
   *
   * @param crowded whether others had connections to its server
   */
  static boolean excused(Exception e, boolean crowded, List<Cause> hidden) {
    Cause cause = failure(e).cause();
    if (!cause.worthAnotherTry()) {
      return false;
    }
    boolean others = crowded || ofOthers(e);
    hidden.add(others ? Cause.HARNESS : cause);
    return others || Collections.frequency(hidden, Cause.OUTSIDER) < Crash.REPEATEDLY;
  }

  /** Returns whether the engine ran, but did not answer in time. */
  static boolean late(Exception e) {
    return e instanceof BrokenException broken
        ? broken.late()
        : e.getCause() instanceof SilentException;
  }

  /**
   * Returns the failure if others may have caused losses or hidden them: any who connected to an
   * {@code open} server.
   *
   * @param others the connections that the server has counted
   * @param seen connections during the check
   */
  static Optional<Failure> intrusion(
      boolean open, long others, Optional<ConnectionWatch.Seen> seen) {
    return open
        ? StretchOutcome.intrusion(others, true, 0)
            .or(() -> seen.flatMap(each -> StretchOutcome.intrusion(each, others > 0)))
        : Optional.empty();
  }

  /** Throws if others were connected during the writes; they could make them durable or not. */
  static void refuseOthers(Optional<ConnectionWatch.Seen> seen) throws BrokenException {
    Optional<Failure> intrusion = seen.flatMap(others -> StretchOutcome.intrusion(others, false));
    if (intrusion.isPresent()) {
      throw new BrokenException(intrusion.get());
    }
  }

  /** Repeats a crash that the machine or an outsider made void, as a busy one can by being slow. */
  @SuppressWarnings("try") // the sampling runs meanwhile
  private static Crash attempted(Trial trial)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    List<String> attempts = new ArrayList<>();
    List<Cause> hidden = trial.hidden();
    int before = hidden.size();
    while (true) {
      try (Sampling stopped = Sampling.start("kvrank-continue", CrashTrials::continueStopped)) {
        return trial.crash().after(attempts, hidden.subList(before, hidden.size()));
      } catch (BrokenException | ProvisionException e) {
        attempts.add(failure(e).message());
        if (!failure(e).cause().worthAnotherTry() || attempts.size() == ATTEMPTS) {
          throw e;
        }
      }
      new DataFolder(trial.folder()).delete();
    }
  }

  /** Continues stopped processes: an engine that stays stopped could hide a loss. */
  static long continueStopped() throws IOException, InterruptedException {
    long[] stopped =
        ProcessHandle.current()
            .descendants()
            .mapToLong(ProcessHandle::pid)
            .filter(pid -> MachineCheck.stopped(OptionalLong.of(pid)))
            .toArray();
    if (stopped.length > 0) {
      Signal.send("CONT", stopped);
    }
    return CONTINUE.toNanos();
  }

  private Trial trial(CrashTestSpec test, int number, List<Cause> hidden)
      throws BrokenException, ProvisionException {
    RunSpec run = task.run();
    Path folder = task.directory().crash(number);
    Path crashData = data.resolveSibling(data.getFileName() + ".crash-" + number);
    Failure gone = new Failure(Cause.OUTSIDER, "it is no longer available");
    ServerSpec server =
        provisioner
            .choose(run.engine(), run.fsync(), crashData, folder.resolve("server.log"))
            .orElseThrow(() -> new BrokenException(gone));
    int place = run.key().repetition() + number - 2;
    return new Trial(
        this,
        server,
        clients(test.settings(), place % 2 == 0),
        folder,
        life(test.test().powerCut()),
        RANDOM.nextLong(),
        test.test().powerCut(),
        place,
        hidden);
  }

  /**
   * Returns the settings of the writes.
   *
   * @param several whether requests are in batches and pipelines as in the phases; an engine may
   *     treat those otherwise than single ones
   */
  private static ClientSettings clients(ClientSettings phase, boolean several) {
    int clients = Math.min(phase.clients(), Math.max(phase.threads(), MOST_CLIENTS));
    return new ClientSettings(
        clients,
        1,
        several ? phase.batch() : 1,
        several ? phase.pipeline() : 1,
        Pacing.CLOSED,
        new Limits(Duration.ZERO, Duration.ZERO, 0));
  }

  /**
   * Returns the time of the writes, longer than the interval of a level of durability. Short ones
   * are more probable, as their logarithm is uniform.
   */
  private Duration life(Optional<PowerCut> cut) {
    Optional<Duration> stated = cut.flatMap(PowerCut::lifetime);
    if (stated.isPresent()) {
      return Duration.ofNanos((long) (stated.get().toNanos() * RANDOM.nextDouble(0.75, 1.25)));
    }
    double ratio = (double) LATEST.toMillis() / EARLIEST.toMillis();
    Duration life =
        Duration.ofMillis((long) (EARLIEST.toMillis() * Math.pow(ratio, RANDOM.nextDouble())));
    return cut.isPresent() ? life.plus(task.run().fsync().interval()) : life;
  }

  /**
   * One crash, a {@code life} after the first acknowledgement.
   *
   * @param number of the power cut among those of all repetitions, from 0
   * @param hidden who ended the attempts of all crashes that ended after the kill
   */
  private record Trial(
      CrashTrials trials,
      ServerSpec spec,
      ClientSettings clients,
      Path folder,
      Duration life,
      long seed,
      Optional<PowerCut> cut,
      int number,
      List<Cause> hidden) {

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
      try (VolatileDisk disk = trials.provisioner.disk(spec.data(), cut.get())) {
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
      try (Server server = trials.provisioner.start(place)) {
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
        return check(server, place, killed, powerCut, loss);
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
      Fsync level = trials.task.run().fsync();
      if (!level.promises() || writes < Crash.ENOUGH) {
        return 0;
      }
      return level.kind() == Fsync.Kind.ON ? Math.max(1, writes / inFlight() / 2) : 1;
    }

    /**
     * How the engine was killed.
     *
     * @param nanos when, or when the disk stopped flushing; if the engine waited for the disk then,
     *     when it began to
     * @param standstills before that
     * @param lately writes acknowledged shortly before
     * @param counts the acknowledged writes of each client
     * @param others the connections of others to a server without a password, if they are counted
     */
    private record Killed(
        String ending,
        long nanos,
        Standstills standstills,
        long lately,
        List<Long> counts,
        long others) {

      long acknowledged() {
        return counts.stream().mapToLong(Long::longValue).sum();
      }

      /** Returns the age of a write; a standstill does not add to it, since nothing ran. */
      long age(long acknowledgedNanos) {
        return standstills.awakeNanos(acknowledgedNanos, nanos);
      }

      Crash crash(
          OptionalLong restart,
          Optional<LostWrites> losses,
          String reason,
          Optional<CrashTrialResult.PowerCut> powerCut) {
        OptionalLong late = OptionalLong.of(lately);
        return new Crash(
            ending, acknowledged(), restart, losses, reason, powerCut, late, List.of(), List.of());
      }
    }

    /** Kills the engine while a worker writes. */
    private Killed write(Server server, ServerSpec place, Optional<PowerLoss> loss)
        throws IOException, InterruptedException, ProvisionException, BrokenException {
      try (WorkerProcess worker = start(server, place, WorkerPhase.Kind.CRASH_WRITES, "writes");
          ConnectionWatch watch = server.watch(worker.pids())) {
        worker.await(WorkerMessage.Ready.class, server, ANSWER, message -> {});
        worker.tell(new WorkerCommand.Start("crash"));
        WorkerMessage.Measuring first =
            worker.await(WorkerMessage.Measuring.class, server, ANSWER, message -> {});
        watch.begin();
        Standstills standstills = new Standstills(first.nanos());
        long end = System.nanoTime() + life.toNanos();
        if (loss.isPresent()) {
          loss.get().begin();
        }
        awaitUnderLoad(worker, server, end - Crash.LATELY.toNanos(), standstills);
        long before = acknowledged();
        awaitUnderLoad(worker, server, end, standstills);
        worker.refuseDeath(server);
        before = awaitAcknowledgements(before, standstills);
        worker.refuseDeath(server);
        refuseOthers(watch.end());
        OptionalLong connections = server.clients();
        long lately = acknowledged() - before;
        long now = System.nanoTime();
        standstills.awake(now, acknowledged());
        long nanos = now;
        if (loss.isPresent()) {
          long silent = now - Math.max(first.nanos(), lastAcknowledged());
          nanos -= Math.min(loss.get().freeze(this::acknowledged), silent);
        }
        Runnable sent = () -> loss.ifPresent(PowerLoss::cut);
        if (embedded()) {
          String ending = "the worker JVM, which runs it, " + worker.kill(sent);
          return new Killed(ending, nanos, standstills, lately, counters(), 0);
        }
        String ending = server.kill(sent);
        List<Long> counts = counted(worker);
        long others = connections.isEmpty() ? 0 : others(connections.getAsLong(), worker);
        return new Killed(ending, nanos, standstills, lately, counts, others);
      }
    }

    /** Returns the number of connections that are not the worker's, once its phase is over. */
    private static long others(long connections, WorkerProcess worker) throws InterruptedException {
      long deadline = System.nanoTime() + CLIENT_PATIENCE.toNanos();
      while (!worker.dead() && System.nanoTime() < deadline) {
        Optional<WorkerMessage> message = worker.next(POLL);
        if (message.isPresent() && message.get() instanceof WorkerMessage.Finished finished) {
          long own = finished.result().facts().count(Fact.CONNECTIONS_OPENED);
          return own == 0 ? 0 : Math.max(0, connections - own);
        }
      }
      return 0;
    }

    /**
     * Waits for a random number of further acknowledgements, after which most is at stake: an
     * engine may acknowledge in bursts, and sync between them. Returns {@code before}, or the
     * number at the start of a long wait.
     */
    private long awaitAcknowledgements(long before, Standstills standstills) throws IOException {
      long start = System.nanoTime();
      long first = acknowledged();
      long last = first + 1 + RANDOM.nextInt(Crash.ENOUGH);
      for (long now = first;
          now < last && System.nanoTime() - start < LONGEST_DELAY.toNanos();
          now = acknowledged()) {
        standstills.awake(System.nanoTime(), now);
        LockSupport.parkNanos(ACKNOWLEDGEMENT_LOOK.toNanos());
      }
      return System.nanoTime() - start > Crash.LATELY.toNanos() ? first : before;
    }

    private void awaitUnderLoad(
        WorkerProcess worker, Server server, long end, Standstills standstills)
        throws InterruptedException, IOException, BrokenException {
      for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
        standstills.awake(now, acknowledged());
        Duration wait = Duration.ofNanos(Math.min(end - now, LOOK.toNanos()));
        Optional<WorkerMessage> message = worker.next(wait);
        if (message.isPresent() && !(message.get() instanceof WorkerMessage.Progress)) {
          Failure failure = worker.explained(WorkerProcess.why(message.get()), server);
          String text = "it was not under load: the writes ended, " + failure.message();
          throw new BrokenException(new Failure(failure.cause(), text));
        }
      }
    }

    private long acknowledged() throws IOException {
      return counters().stream().mapToLong(Long::longValue).sum();
    }

    private long lastAcknowledged() throws IOException {
      return AckCounters.last(folder, clients.threads());
    }

    private List<Long> counters() throws IOException {
      return AckCounters.of(folder, clients.threads());
    }

    /**
     * Returns the acknowledged writes of each client, some of which may have been on their way. The
     * worker sends them, since a server can change a file.
     */
    private List<Long> counted(WorkerProcess worker)
        throws IOException, InterruptedException, BrokenException {
      long deadline = System.nanoTime() + CLIENT_PATIENCE.toNanos();
      while (!worker.dead() && System.nanoTime() < deadline) {
        Optional<WorkerMessage> message = worker.next(POLL);
        if (message.isPresent() && message.get() instanceof WorkerMessage.WritesEnded ended) {
          if (ended.acknowledged().equals(counters())) {
            return ended.acknowledged();
          }
          hidden.add(Cause.OUTSIDER);
          String text = "another process changed the ack counters in '%s'".formatted(folder);
          throw new BrokenException(new Failure(Cause.OUTSIDER, text));
        }
      }
      hidden.add(Cause.HARNESS);
      String text = "the worker did not report its acknowledged writes";
      throw new BrokenException(new Failure(Cause.HARNESS, text));
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
          worker.await(WorkerMessage.Ready.class, server, ANSWER, message -> {});
          if (embedded()) {
            restart = OptionalLong.of(System.nanoTime() - start);
          }
          worker.tell(new WorkerCommand.Check("crash", killed.counts()));
          Duration most = ANSWER.plus(CHECK.multipliedBy(killed.acknowledged()));
          CrashFindings findings =
              worker
                  .await(WorkerMessage.CrashChecked.class, server, ANSWER, most, message -> {})
                  .findings();
          Facts facts =
              worker
                  .await(WorkerMessage.Finished.class, server, ANSWER, message -> {})
                  .result()
                  .facts();
          losses = lost(findings, killed);
          OptionalLong others = server.othersConnections(facts.count(Fact.CONNECTIONS_OPENED));
          intrusion = intrusion(server.open(), killed.others() + others.orElse(0), watch.end());
          worker.stop(ANSWER);
        }
      } catch (BrokenException | ProvisionException e) {
        if (hides(e, server, loss)) {
          throw e;
        }
        String problem = restart.isPresent() ? "could not be checked: " : "did not restart: ";
        String reason = problem + failure(e).message();
        Crash crash = killed.crash(restart, Optional.empty(), reason, powerCut);
        return restart.isEmpty() && late(e) ? crash.silent(ANSWER.toNanos()) : crash;
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
      long interval = trials.task.run().fsync().interval().toNanos();
      return losses.wrong() > 0
          || (losses.lost() > 0 && losses.oldestLostNanos().orElse(interval) >= interval);
    }

    /**
     * Returns whether {@code e} is not the engine's doing, and records that it hides its losses.
     */
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
      return excused(e, server.crowded(), hidden);
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
      RunSpec run = trials.task.run();
      WorkerSpec crash =
          WorkerSpecFactory.crash(run, kind, clients, seed, server.connection(), folder);
      crash.write(file);
      WorkerProcess worker =
          trials.workers.start(
              run, embedded() ? place.boot() : Optional.empty(), folder.resolve(name + ".log"));
      worker.begin(crash, server.credentials());
      return worker;
    }
  }
}
