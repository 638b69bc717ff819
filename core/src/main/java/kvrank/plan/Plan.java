package kvrank.plan;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import kvrank.scenario.DurationFormat;
import kvrank.scenario.Fsync;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Sweep;

/**
 * What will be done, in order.
 *
 * @param scenario the question
 * @param runs every run, those included that are unsupported
 */
public record Plan(Scenario scenario, List<RunSpec> runs) {

  /** To start a server and a worker and to stop them again, about. */
  private static final Duration OVERHEAD = Duration.ofSeconds(3);

  /** To start a server, to write for a second, to kill it and to read what it left, about. */
  private static final Duration KILL = Duration.ofSeconds(5);

  /** How many rates a search tries before it settles, at most; the unlimited one aside. */
  public static final int SEARCH_STEPS = 9;

  /** Inserts per second of a load, a guess for want of anything better. */
  private static final long LOAD_PER_SECOND = 50_000;

  /** Inserts per second of one thread when each waits for the device, another guess. */
  private static final long SYNCED_LOAD_PER_SECOND = 300;

  public Plan {
    requireNonNull(scenario, "scenario is null");
    runs = List.copyOf(runs);
  }

  /** The runs that would be started. */
  public List<RunSpec> supported() {
    return runs.stream().filter(Plan::startable).toList();
  }

  private static boolean startable(RunSpec run) {
    return run.unsupported().isEmpty() && run.engine().definition().planned().isEmpty();
  }

  /** About how long {@code run} takes; the load's part of it is a guess. */
  public static Duration expected(RunSpec run) {
    if (!startable(run)) {
      return Duration.ZERO;
    }
    Duration total = OVERHEAD;
    if (run.noKillTest().isEmpty()) {
      total = total.plus(KILL.multipliedBy(run.kills()));
    }
    for (PhaseSpec phase : run.supportedPhases()) {
      var settings = run.settings(phase);
      if (phase.load()) {
        total = total.plusMillis(loadMillis(run, phase));
      } else if (phase.sweep().isPresent()) {
        total = total.plus(stretch(settings).multipliedBy(steps(phase.sweep().get())));
      } else if (!settings.getOrDefault(Setting.OPERATIONS, "").isEmpty()) {
        total =
            total.plusSeconds(Long.parseLong(settings.get(Setting.OPERATIONS)) / LOAD_PER_SECOND);
      } else {
        total = total.plus(stretch(settings));
      }
    }
    return total;
  }

  private static Duration stretch(SortedMap<Setting, String> settings) {
    return DurationFormat.parse(settings.get(Setting.WARMUP))
        .orElseThrow()
        .plus(DurationFormat.parse(settings.get(Setting.DURATION)).orElseThrow());
  }

  /** How many stretches a sweep measures, at most. */
  private static int steps(Sweep sweep) {
    return sweep instanceof Sweep.Curve curve ? curve.rates().size() + 1 : SEARCH_STEPS + 1;
  }

  private static long loadMillis(RunSpec run, PhaseSpec phase) {
    var settings = run.settings(phase);
    long records = Long.parseLong(settings.get(Setting.RECORDS));
    long requestsAtOnce =
        Long.parseLong(settings.get(Setting.BATCH)) * Long.parseLong(settings.get(Setting.THREADS));
    long atOncePerSecond =
        run.fsync() == Fsync.ON
            ? Math.min(LOAD_PER_SECOND, SYNCED_LOAD_PER_SECOND * requestsAtOnce)
            : LOAD_PER_SECOND;
    return records * 1000 / atOncePerSecond;
  }
}
