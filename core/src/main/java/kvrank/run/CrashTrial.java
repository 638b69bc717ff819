package kvrank.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import kvrank.plan.RunSpec;
import kvrank.provision.ProvisionException;
import kvrank.provision.Provisioner;
import kvrank.provision.Server;
import kvrank.provision.ServerSpec;
import kvrank.results.Crash;
import kvrank.results.LostWrites;
import kvrank.scenario.ProvisionMethod;
import kvrank.worker.AckCounters;
import kvrank.worker.CrashFindings;
import kvrank.worker.WorkerMessage;
import kvrank.worker.WorkerPhase;

/** One crash: writes on fresh data, SIGKILL under load, a restart, a look at what is there. */
final class CrashTrial {

  private static final Duration POLL = Duration.ofMillis(100);

  /** A worker starts, or tells of one more record, or closes its binding. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How long clients may take to see that their server is dead. */
  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(10);

  /** How long after the first acknowledgement the engine is killed. */
  private static final long EARLIEST_MILLIS = 500;

  private static final long LATEST_MILLIS = 1_500;

  private final RunSpec run;
  private final int threads;
  private final Workers workers;
  private final ServerSpec spec;
  private final Path folder;
  private final long seed;
  private final Duration life;

  /**
   * @param folder where the counters of acknowledgements and the logs go
   * @param threads how many threads write
   * @param seed the seed of the writes and of when the engine is killed
   */
  CrashTrial(RunSpec run, int threads, Workers workers, ServerSpec spec, Path folder, long seed) {
    this.run = run;
    this.threads = threads;
    this.workers = workers;
    this.spec = spec;
    this.folder = folder;
    SplittableRandom random = new SplittableRandom(seed);
    this.life = Duration.ofMillis(random.nextLong(EARLIEST_MILLIS, LATEST_MILLIS));
    this.seed = random.nextLong();
  }

  /** There is nothing to find out: the engine was not killed under load. */
  static final class BrokenException extends Exception {

    private static final long serialVersionUID = 1L;

    BrokenException(String message) {
      super(message);
    }
  }

  /** Crashes the engine once; nothing but {@code folder} is left. */
  Crash run(Provisioner provisioner) throws IOException, InterruptedException, BrokenException {
    Files.createDirectories(folder);
    try (Server server = provisioner.start(spec)) {
      String ending = write(server);
      return look(server, ending, AckCounters.acknowledged(folder, threads));
    } catch (ProvisionException e) {
      throw new BrokenException(e.getMessage());
    } catch (UncheckedIOException e) {
      throw new BrokenException("its data could not be removed: " + e.getMessage());
    }
  }

  private boolean embedded() {
    return spec.method() == ProvisionMethod.EMBEDDED;
  }

  /** Has a worker write and kills the engine meanwhile; how its process ended. */
  private String write(Server server)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    try (WorkerProcess worker = start(server, WorkerPhase.Kind.CRASH_WRITES, "writes")) {
      await(WorkerMessage.Ready.class, worker, server, PATIENCE);
      worker.tell("start crash");
      await(WorkerMessage.Measuring.class, worker, server, PATIENCE);
      long end = System.nanoTime() + life.toNanos();
      for (long left = life.toNanos(); left > 0; left = end - System.nanoTime()) {
        Optional<WorkerMessage> report = worker.next(Duration.ofNanos(left));
        if (report.isPresent() && !(report.get() instanceof WorkerMessage.Progress)) {
          throw new BrokenException(
              "it was not under load: the writes ended, " + why(report.get()));
        }
      }
      refuseDeath(worker, server);
      if (embedded()) {
        return "the worker JVM, in which it lives, " + worker.kill();
      }
      String ending = server.kill();
      // What it acknowledged may still be on its way.
      awaitLast(worker);
      return ending;
    }
  }

  /** Waits until the clients know that their server is dead. */
  private static void awaitLast(WorkerProcess worker) throws InterruptedException {
    long deadline = System.nanoTime() + CLIENT_PATIENCE.toNanos();
    boolean over = false;
    while (!over && worker.death().isEmpty() && System.nanoTime() < deadline) {
      over = worker.next(POLL).filter(WorkerMessage.Finished.class::isInstance).isPresent();
    }
  }

  private Crash look(Server server, String ending, long acknowledged)
      throws IOException, InterruptedException, ProvisionException {
    long start = System.nanoTime();
    try {
      server.restart();
    } catch (ProvisionException e) {
      return unseen(ending, acknowledged, OptionalLong.empty(), "did not restart: ", e);
    }
    OptionalLong restart = OptionalLong.of(System.nanoTime() - start);
    try (WorkerProcess worker = start(server, WorkerPhase.Kind.CRASH_CHECK, "check")) {
      try {
        await(WorkerMessage.Ready.class, worker, server, PATIENCE);
      } catch (BrokenException e) {
        return embedded()
            ? unseen(ending, acknowledged, OptionalLong.empty(), "did not restart: ", e)
            : unseen(ending, acknowledged, restart, "could not be looked at: ", e);
      }
      if (embedded()) {
        restart = OptionalLong.of(System.nanoTime() - start);
      }
      try {
        worker.tell("start crash");
        WorkerMessage.Finished finished =
            await(WorkerMessage.Finished.class, worker, server, PATIENCE);
        LostWrites losses = losses(CrashFindings.of(finished.result()));
        worker.stop(PATIENCE);
        return new Crash(ending, acknowledged, restart, Optional.of(losses), "");
      } catch (BrokenException e) {
        return unseen(ending, acknowledged, restart, "could not be looked at: ", e);
      }
    }
  }

  private static Crash unseen(
      String ending, long acknowledged, OptionalLong restart, String what, Exception why) {
    return new Crash(ending, acknowledged, restart, Optional.empty(), what + why.getMessage());
  }

  private static LostWrites losses(CrashFindings findings) {
    return new LostWrites(
        findings.checked(),
        findings.lostInserts(),
        findings.lostUpdates(),
        findings.lostDeletes(),
        findings.wrongValues(),
        findings.unexpectedKeys(),
        findings.example());
  }

  private WorkerProcess start(Server server, WorkerPhase.Kind kind, String name)
      throws IOException, ProvisionException {
    Path file = folder.resolve(name + ".properties");
    WorkerSpecs.crash(run, kind, threads, seed, server.connection(), folder).write(file);
    WorkerProcess worker = workers.start(run, folder.resolve(name + ".log"));
    worker.begin(file);
    return worker;
  }

  /** Returns the next report of {@code type}; reports of progress prolong the patience. */
  private static <R extends WorkerMessage> R await(
      Class<R> type, WorkerProcess worker, Server server, Duration patience)
      throws InterruptedException, BrokenException {
    long operations = -1;
    long deadline = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < deadline) {
      WorkerMessage report = worker.next(POLL).orElse(null);
      if (type.isInstance(report)) {
        return type.cast(report);
      }
      if (report instanceof WorkerMessage.Progress progress) {
        if (progress.operations() > operations) {
          operations = progress.operations();
          deadline = System.nanoTime() + patience.toNanos();
        }
      } else if (report != null) {
        throw new BrokenException(why(report));
      }
      refuseDeath(worker, server);
    }
    throw new BrokenException(
        "nothing was heard of the worker for %d s".formatted(patience.toSeconds()));
  }

  private static void refuseDeath(WorkerProcess worker, Server server) throws BrokenException {
    Optional<String> death = server.death().or(worker::death);
    if (death.isPresent()) {
      throw new BrokenException(death.get());
    }
  }

  /** Returns why a worker said {@code report} instead of what was expected. */
  private static String why(WorkerMessage report) {
    if (report instanceof WorkerMessage.Failed failed) {
      return failed.message();
    }
    if (report instanceof WorkerMessage.Finished finished) {
      return finished.result().facts().getOrDefault("ended", "which is unexpected");
    }
    return "the worker said " + report;
  }
}
