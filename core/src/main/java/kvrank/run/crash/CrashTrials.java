package kvrank.run.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.machine.MachineCheck;
import kvrank.machine.Sampling;
import kvrank.plan.RunSpec;
import kvrank.plan.RunSpec.CrashTestSpec;
import kvrank.provision.Provisioner;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Signal;
import kvrank.provision.server.ServerSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.Load;
import kvrank.results.RunDirectory;
import kvrank.run.worker.BrokenException;
import kvrank.run.worker.WorkerLauncher;
import kvrank.scenario.CrashTest;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.workload.ClientSettings;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Limits;

/**
 * Crashes an engine repeatedly, each time with fresh data: writes, SIGKILL, restart, check. In a
 * power cut, the data is on a disk that stands still before SIGKILL and then loses what it did not
 * flush.
 *
 * @param directory for the files of each crash
 * @param progress receives the number of each crash when it starts
 * @param data the folder of the run's data, next to those of the crashes
 */
public record CrashTrials(
    RunSpec run,
    RunDirectory directory,
    Consumer<String> progress,
    Provisioner provisioner,
    WorkerLauncher workers,
    Path data) {

  /** How often processes that a signal stopped are continued. */
  private static final Duration CONTINUE = Duration.ofMillis(500);

  private static final Duration EARLIEST = Duration.ofMillis(500);
  private static final Duration LATEST = Duration.ofSeconds(4);

  /** An engine could compute what a known seed draws: moments, records, lost sectors. */
  static final SecureRandom RANDOM = new SecureRandom();

  /** Without an answer for this long, an engine does not restart, or cannot be read. */
  static final Duration ANSWER = Duration.ofSeconds(30);

  /** How often a power cut is tried. */
  private static final int ATTEMPTS = 3;

  /** Each client of a crash test is a thread. */
  private static final int MOST_CLIENTS = 128;

  /** Executes all crashes; the first that fails ends the test, with the reason. */
  public CrashTrialResult result(CrashTestSpec spec) throws IOException, InterruptedException {
    Load load =
        new Load(
            clients(spec.settings(), false).threads(),
            spec.settings().clients(),
            run.dataset().expires());
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
      progress.accept((cuts ? "power cut " : "crash ") + number);
      try {
        CrashTrial trial = trial(spec, number, hidden);
        unsupported = trial.unsupported();
        if (unsupported.isEmpty()) {
          crashes.add(attempted(trial));
        }
        if (!trial.left().isEmpty()) {
          return missing(cuts, crashes, number, trial.left().get(0));
        }
      } catch (BrokenException | ProvisionException e) {
        return missing(cuts, crashes, number, CrashBlame.failure(e));
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

  /** Repeats a crash that the machine or an outsider made void, as a busy one can by being slow. */
  @SuppressWarnings("try") // the sampling runs meanwhile
  private static Crash attempted(CrashTrial trial)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    List<String> attempts = new ArrayList<>();
    List<Cause> hidden = trial.hidden();
    int before = hidden.size();
    while (true) {
      try (Sampling stopped = Sampling.start("kvrank-continue", CrashTrials::continueStopped)) {
        return trial.crash().after(attempts, hidden.subList(before, hidden.size()));
      } catch (BrokenException | ProvisionException e) {
        attempts.add(CrashBlame.failure(e).message());
        if (!CrashBlame.failure(e).cause().worthAnotherTry() || attempts.size() == ATTEMPTS) {
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

  private CrashTrial trial(CrashTestSpec test, int number, List<Cause> hidden)
      throws BrokenException, ProvisionException {
    Path folder = directory.crash(number);
    Path crashData = data.resolveSibling(data.getFileName() + ".crash-" + number);
    Failure gone = new Failure(Cause.OUTSIDER, "it is no longer available");
    ServerSpec server =
        provisioner
            .choose(run.engine(), run.fsync(), crashData, folder.resolve("server.log"))
            .orElseThrow(() -> new BrokenException(gone));
    int place = run.key().repetition() + number - 2;
    return new CrashTrial(
        this,
        server,
        clients(test.settings(), place % 2 == 0),
        folder,
        life(test.test().powerCut()),
        RANDOM.nextLong(),
        test.test().powerCut(),
        place,
        hidden,
        new ArrayList<>());
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
    return cut.isPresent() ? life.plus(run.fsync().interval()) : life;
  }
}
