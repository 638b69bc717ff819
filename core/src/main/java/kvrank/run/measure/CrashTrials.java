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
import kvrank.plan.RunSpec;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.provision.Provisioner;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.run.measure.RunExecutor.Task;
import kvrank.run.worker.StallDetector;
import kvrank.run.worker.WorkerLauncher;
import kvrank.run.worker.WorkerProcess;
import kvrank.run.worker.WorkerProcess.BrokenException;
import kvrank.run.worker.WorkerSpecFactory;
import kvrank.worker.check.AckCounters;
import kvrank.worker.protocol.CrashFindings;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;

/** Crashes an engine repeatedly, each time with fresh data: writes, SIGKILL, restart, check. */
record CrashTrials(Task task, Provisioner provisioner, WorkerLauncher workers, Path data) {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(10);
  private static final long EARLIEST_MILLIS = 500;
  private static final long LATEST_MILLIS = 1_500;

  /** Executes all crashes; the first that fails ends the test, with the reason. */
  CrashTrialResult run(CrashTestSpec test) throws IOException, InterruptedException {
    if (test.unsupported().isPresent()) {
      return new CrashTrialResult(List.of(), "unsupported: " + test.unsupported().get());
    }
    RunSpec run = task.run();
    Failure gone = new Failure(Cause.OUTSIDER, "it is no longer available");
    List<Crash> crashes = new ArrayList<>();
    for (int number = 1; number <= test.crashes(); number++) {
      task.listener().phase(run, "crash " + number);
      try {
        Path folder = task.directory().crash(number);
        Path crashData = data.resolveSibling(data.getFileName() + ".crash-" + number);
        ServerSpec server =
            provisioner
                .choose(run.engine(), run.fsync(), crashData, folder.resolve("server.log"))
                .orElseThrow(() -> new BrokenException(gone));
        SplittableRandom random = new SplittableRandom(run.key().seed() + number);
        Duration life = Duration.ofMillis(random.nextLong(EARLIEST_MILLIS, LATEST_MILLIS));
        crashes.add(
            new Trial(this, server, test.threads(), folder, life, random.nextLong()).crash());
      } catch (BrokenException | ProvisionException e) {
        return new CrashTrialResult(crashes, "crash %d: %s".formatted(number, e.getMessage()));
      } catch (UncheckedIOException e) {
        return new CrashTrialResult(
            crashes,
            "crash %d: its data could not be removed: %s".formatted(number, Reason.located(e)));
      }
    }
    return new CrashTrialResult(crashes, "");
  }

  /** One crash, a {@code life} after the first acknowledgement. */
  private record Trial(
      CrashTrials trials, ServerSpec spec, int threads, Path folder, Duration life, long seed) {

    private boolean embedded() {
      return spec.method() == ProvisionMethod.EMBEDDED;
    }

    /** Crashes the engine and leaves only {@code folder}; throws if it was not under load. */
    Crash crash() throws IOException, InterruptedException, ProvisionException, BrokenException {
      Files.createDirectories(folder);
      try (Server server = trials.provisioner.start(spec)) {
        String ending = write(server);
        return check(server, ending, AckCounters.acknowledged(folder, threads));
      }
    }

    /** Kills the engine while a worker writes; returns the process's ending. */
    private String write(Server server)
        throws IOException, InterruptedException, ProvisionException, BrokenException {
      try (WorkerProcess worker = start(server, WorkerPhase.Kind.CRASH_WRITES, "writes")) {
        worker.await(WorkerMessage.Ready.class, server, message -> {});
        worker.tell(new WorkerCommand.Start("crash"));
        worker.await(WorkerMessage.Measuring.class, server, message -> {});
        long end = System.nanoTime() + life.toNanos();
        for (long left = life.toNanos(); left > 0; left = end - System.nanoTime()) {
          Optional<WorkerMessage> message = worker.next(Duration.ofNanos(left));
          if (message.isPresent() && !(message.get() instanceof WorkerMessage.Progress)) {
            Failure failure = WorkerProcess.why(message.get());
            String text = "it was not under load: the writes ended, " + failure.message();
            throw new BrokenException(new Failure(failure.cause(), text));
          }
        }
        worker.refuseDeath(server);
        if (embedded()) {
          return "the worker JVM, which runs it, " + worker.kill();
        }
        String ending = server.kill();
        // Acknowledgements may still be on their way.
        awaitLast(worker);
        return ending;
      }
    }

    private static void awaitLast(WorkerProcess worker) throws InterruptedException {
      long deadline = System.nanoTime() + CLIENT_PATIENCE.toNanos();
      boolean over = false;
      while (!over && !worker.dead() && System.nanoTime() < deadline) {
        over = worker.next(POLL).filter(WorkerMessage.Finished.class::isInstance).isPresent();
      }
    }

    private Crash check(Server server, String ending, long acknowledged)
        throws IOException, InterruptedException {
      long start = System.nanoTime();
      OptionalLong restart = OptionalLong.empty();
      try {
        server.restart();
        if (!embedded()) {
          restart = OptionalLong.of(System.nanoTime() - start);
        }
        try (WorkerProcess worker = start(server, WorkerPhase.Kind.CRASH_CHECK, "check")) {
          worker.await(WorkerMessage.Ready.class, server, message -> {});
          if (embedded()) {
            restart = OptionalLong.of(System.nanoTime() - start);
          }
          worker.tell(new WorkerCommand.Start("crash"));
          CrashFindings findings =
              worker.await(WorkerMessage.CrashChecked.class, server, message -> {}).findings();
          worker.stop(StallDetector.LIMIT);
          LostWrites losses =
              new LostWrites(
                  findings.checked(),
                  findings.lostInserts(),
                  findings.lostUpdates(),
                  findings.lostDeletes(),
                  findings.wrongValues(),
                  findings.unexpectedKeys(),
                  findings.example());
          return new Crash(ending, acknowledged, restart, Optional.of(losses), "");
        }
      } catch (ProvisionException | BrokenException e) {
        String problem = restart.isPresent() ? "could not be checked: " : "did not restart: ";
        return new Crash(ending, acknowledged, restart, Optional.empty(), problem + e.getMessage());
      }
    }

    private WorkerProcess start(Server server, WorkerPhase.Kind kind, String name)
        throws IOException, ProvisionException {
      Path file = folder.resolve(name + ".properties");
      RunSpec run = trials.task.run();
      WorkerSpec crash =
          WorkerSpecFactory.crash(run, kind, threads, seed, server.connection(), folder);
      crash.write(file);
      WorkerProcess worker =
          trials.workers.start(run, Optional.empty(), folder.resolve(name + ".log"));
      worker.begin(crash, server.credentials());
      return worker;
    }
  }
}
