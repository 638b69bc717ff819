package kvrank.run.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import kvrank.engine.ProvisionMethod;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.plan.RunSpec;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.provision.Provisioner;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
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

/**
 * Crashes an engine repeatedly, each time with fresh data: writes, SIGKILL, restart, check. In a
 * power cut, the data is on a disk that stands still before SIGKILL and then loses what it did not
 * flush.
 */
record CrashTrials(Task task, Provisioner provisioner, WorkerLauncher workers, Path data) {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(10);
  private static final long EARLIEST_MILLIS = 500;
  private static final long LATEST_MILLIS = 1_500;

  /** Without an answer for this long, an engine does not restart, or cannot be read. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  /** How often a power cut is tried. */
  private static final int ATTEMPTS = 3;

  private static final String CONTAINER =
      "the data of a container is not on the simulated disk; install the engine or name its"
          + " 'executable' in 'server'";

  /** Executes all crashes; the first that fails ends the test, with the reason. */
  CrashTrialResult run(CrashTestSpec spec) throws IOException, InterruptedException {
    CrashTest test = spec.test();
    boolean cuts = test.powerCut().isPresent();
    Optional<String> unsupported =
        spec.unsupported()
            .or(() -> test.powerCut().flatMap(cut -> provisioner.missing(cut.fileSystem())));
    List<Crash> crashes = new ArrayList<>();
    for (int number = 1; number <= test.crashes() && unsupported.isEmpty(); number++) {
      task.listener().phase(task.run(), (cuts ? "power cut " : "crash ") + number);
      try {
        Trial trial = trial(spec, number);
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
    return new CrashTrialResult(cuts, crashes, unsupported.map("unsupported: "::concat).orElse(""));
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

  /** Repeats a crash that the machine or an outsider made void, as a busy one can by being slow. */
  private static Crash attempted(Trial trial)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    List<String> attempts = new ArrayList<>();
    while (true) {
      try {
        return trial.crash().after(attempts);
      } catch (BrokenException | ProvisionException e) {
        attempts.add(failure(e).message());
        if (!failure(e).cause().worthAnotherTry() || attempts.size() == ATTEMPTS) {
          throw e;
        }
      }
      new DataFolder(trial.folder()).delete();
    }
  }

  private Trial trial(CrashTestSpec test, int number) throws BrokenException, ProvisionException {
    RunSpec run = task.run();
    Path folder = task.directory().crash(number);
    Path crashData = data.resolveSibling(data.getFileName() + ".crash-" + number);
    Failure gone = new Failure(Cause.OUTSIDER, "it is no longer available");
    ServerSpec server =
        provisioner
            .choose(run.engine(), run.fsync(), crashData, folder.resolve("server.log"))
            .orElseThrow(() -> new BrokenException(gone));
    SplittableRandom random = new SplittableRandom(run.key().seed() + number);
    Duration life = life(test.test().powerCut(), random);
    long seed = random.nextLong();
    return new Trial(
        this,
        server,
        test.threads(),
        folder,
        life,
        seed,
        test.test().powerCut(),
        run.key().repetition() + number - 2);
  }

  /** Returns the time of the writes, longer than the interval of a level of durability. */
  private Duration life(Optional<PowerCut> cut, SplittableRandom random) {
    Optional<Duration> stated = cut.flatMap(PowerCut::lifetime);
    if (stated.isPresent()) {
      return Duration.ofNanos((long) (stated.get().toNanos() * random.nextDouble(0.75, 1.25)));
    }
    Duration life = Duration.ofMillis(random.nextLong(EARLIEST_MILLIS, LATEST_MILLIS));
    return cut.isPresent() ? life.plus(task.run().fsync().interval()) : life;
  }

  /**
   * One crash, a {@code life} after the first acknowledgement.
   *
   * @param number of the power cut among those of all repetitions, from 0
   */
  private record Trial(
      CrashTrials trials,
      ServerSpec spec,
      int threads,
      Path folder,
      Duration life,
      long seed,
      Optional<PowerCut> cut,
      int number) {

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
        return crash(spec, Optional.empty());
      }
      try (VolatileDisk disk = trials.provisioner.disk(spec.data(), cut.get())) {
        ServerSpec onDisk = spec.in(disk.data().resolve("data"), disk.entry());
        PowerLoss loss = new PowerLoss(disk, cut.get(), number, seed, threads);
        try {
          return crash(onDisk, Optional.of(loss));
        } catch (BrokenException | ProvisionException e) {
          loss.requireDisk();
          throw e;
        }
      }
    }

    private Crash crash(ServerSpec place, Optional<PowerLoss> loss)
        throws IOException, InterruptedException, ProvisionException, BrokenException {
      try (Server server = trials.provisioner.start(place)) {
        Killed killed = write(server, place, loss);
        Optional<CrashTrialResult.PowerCut> powerCut = Optional.empty();
        if (loss.isPresent()) {
          powerCut = Optional.of(loss.get().recover());
          // Its creation may be lost, too.
          Files.createDirectories(place.data());
        }
        return check(server, place, killed, powerCut, loss);
      }
    }

    /**
     * How the engine was killed.
     *
     * @param nanos when, or when the disk stopped flushing
     * @param lately writes acknowledged shortly before
     */
    private record Killed(String ending, long nanos, long lately) {

      Crash crash(
          long acknowledged,
          OptionalLong restart,
          Optional<LostWrites> losses,
          String reason,
          Optional<CrashTrialResult.PowerCut> powerCut) {
        OptionalLong late = OptionalLong.of(lately);
        return new Crash(ending, acknowledged, restart, losses, reason, powerCut, late, List.of());
      }
    }

    /** Kills the engine while a worker writes. */
    private Killed write(Server server, ServerSpec place, Optional<PowerLoss> loss)
        throws IOException, InterruptedException, ProvisionException, BrokenException {
      try (WorkerProcess worker = start(server, place, WorkerPhase.Kind.CRASH_WRITES, "writes")) {
        worker.await(WorkerMessage.Ready.class, server, ANSWER, message -> {});
        worker.tell(new WorkerCommand.Start("crash"));
        worker.await(WorkerMessage.Measuring.class, server, ANSWER, message -> {});
        long end = System.nanoTime() + life.toNanos();
        awaitUnderLoad(worker, end - Crash.LATELY.toNanos());
        long before = acknowledged();
        awaitUnderLoad(worker, end);
        worker.refuseDeath(server);
        long lately = acknowledged() - before;
        long nanos = System.nanoTime();
        if (loss.isPresent()) {
          loss.get().freeze(this::acknowledged);
        }
        Runnable sent = () -> loss.ifPresent(PowerLoss::cut);
        if (embedded()) {
          return new Killed("the worker JVM, which runs it, " + worker.kill(sent), nanos, lately);
        }
        String ending = server.kill(sent);
        // Acknowledgements may still be on their way.
        awaitLast(worker);
        return new Killed(ending, nanos, lately);
      }
    }

    private static void awaitUnderLoad(WorkerProcess worker, long end)
        throws InterruptedException, BrokenException {
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        Optional<WorkerMessage> message = worker.next(Duration.ofNanos(left));
        if (message.isPresent() && !(message.get() instanceof WorkerMessage.Progress)) {
          Failure failure = WorkerProcess.why(message.get());
          String text = "it was not under load: the writes ended, " + failure.message();
          throw new BrokenException(new Failure(failure.cause(), text));
        }
      }
    }

    private long acknowledged() throws IOException {
      return AckCounters.acknowledged(folder, threads);
    }

    private static void awaitLast(WorkerProcess worker) throws InterruptedException {
      long deadline = System.nanoTime() + CLIENT_PATIENCE.toNanos();
      boolean over = false;
      while (!over && !worker.dead() && System.nanoTime() < deadline) {
        over = worker.next(POLL).filter(WorkerMessage.Finished.class::isInstance).isPresent();
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
      try {
        server.restart();
        if (!embedded()) {
          restart = OptionalLong.of(System.nanoTime() - start);
        }
        try (WorkerProcess worker = start(server, place, WorkerPhase.Kind.CRASH_CHECK, "check")) {
          worker.await(WorkerMessage.Ready.class, server, ANSWER, message -> {});
          if (embedded()) {
            restart = OptionalLong.of(System.nanoTime() - start);
          }
          worker.tell(new WorkerCommand.Start("crash"));
          CrashFindings findings =
              worker
                  .await(WorkerMessage.CrashChecked.class, server, ANSWER, message -> {})
                  .findings();
          worker.stop(ANSWER);
          Optional<LostWrites> losses = Optional.of(lost(findings, killed.nanos()));
          return killed.crash(acknowledged(), restart, losses, "", powerCut);
        }
      } catch (BrokenException | ProvisionException e) {
        if (loss.isPresent()) {
          loss.get().requireDisk();
        }
        if (failure(e).cause().worthAnotherTry()) {
          throw e;
        }
        String problem = restart.isPresent() ? "could not be checked: " : "did not restart: ";
        String reason = problem + failure(e).message();
        return killed.crash(acknowledged(), restart, Optional.empty(), reason, powerCut);
      }
    }

    private static LostWrites lost(CrashFindings findings, long killed) {
      Optional<CrashFindings.Span> lost = findings.lost();
      return new LostWrites(
          findings.checked(),
          findings.lostInserts(),
          findings.lostUpdates(),
          findings.lostDeletes(),
          findings.wrongValues(),
          findings.unexpectedKeys(),
          findings.example(),
          lost.stream().mapToLong(span -> Math.max(0, killed - span.oldestNanos())).findFirst(),
          lost.stream().mapToLong(span -> Math.max(0, killed - span.newestNanos())).findFirst());
    }

    private WorkerProcess start(Server server, ServerSpec place, WorkerPhase.Kind kind, String name)
        throws IOException, ProvisionException {
      Path file = folder.resolve(name + ".properties");
      RunSpec run = trials.task.run();
      WorkerSpec crash =
          WorkerSpecFactory.crash(run, kind, threads, seed, server.connection(), folder);
      crash.write(file);
      WorkerProcess worker =
          trials.workers.start(
              run, embedded() ? place.prefix() : List.of(), folder.resolve(name + ".log"));
      worker.begin(crash, server.credentials());
      return worker;
    }
  }
}
