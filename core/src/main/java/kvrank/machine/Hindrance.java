package kvrank.machine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import kvrank.failure.Cause;
import kvrank.failure.Failure;

/**
 * The time in which processes could not run, so that their silence proves nothing. The caller looks
 * several times a second.
 */
public final class Hindrance {

  /** What keeps a process from running. */
  private enum Kind {
    STOPPED(Cause.OUTSIDER, "stopped by a signal"),
    FROZEN(Cause.MACHINE, "frozen in its control group"),
    STARVED(Cause.MACHINE, "without a CPU");

    private final Cause cause;
    private final String text;

    Kind(Cause cause, String text) {
      this.cause = cause;
      this.text = text;
    }
  }

  private static final Path PROC = Path.of("/proc");

  /** A process that could run is starved if it gets less than this share of a CPU. */
  private static final double LEAST_SHARE = 0.1;

  /** If the caller did not look for longer, it stood still itself. */
  private static final long MOST_NANOS = Duration.ofSeconds(1).toNanos();

  private final Map<Kind, Long> nanos = new EnumMap<>(Kind.class);

  /** The CPU time of each process, in nanoseconds. */
  private final Map<Long, Long> used = new HashMap<>();

  private long looked;

  /** Starts at {@code now}, in nanoseconds of the caller's clock. */
  public Hindrance(long now) {
    looked = now;
  }

  /** Adds the time since the last look if one of {@code processes}, or a descendant, cannot run. */
  public void look(long now, LongStream processes) {
    long time = Math.min(now - looked, MOST_NANOS);
    looked = now;
    processes
        .mapToObj(ProcessHandle::of)
        .flatMap(Optional::stream)
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .flatMap(process -> of(process.pid(), time).stream())
        .min(Comparator.naturalOrder())
        .ifPresent(kind -> nanos.merge(kind, time, Long::sum));
  }

  private Optional<Kind> of(long process, long time) {
    Path folder = PROC.resolve(Long.toString(process));
    boolean runnable = false;
    boolean stopped = false;
    long sum = 0;
    for (Path thread : SystemFile.threads(folder)) {
      String stat = SystemFile.text(thread.resolve("stat")).orElse("");
      String state = stat.isEmpty() ? "" : ProcessSample.fields(stat)[0];
      runnable |= state.equals("R");
      stopped |= state.equals("T");
      sum +=
          SystemFile.text(thread.resolve("schedstat"))
              .map(text -> Long.parseLong(text.split(" ", -1)[0]))
              .orElse(0L);
    }
    Long before = used.put(process, sum);
    if (stopped) {
      return Optional.of(Kind.STOPPED);
    }
    if (ControlGroups.frozen(folder)) {
      return Optional.of(Kind.FROZEN);
    }
    boolean starved =
        runnable && before != null && sum >= before && sum - before < time * LEAST_SHARE;
    return starved ? Optional.of(Kind.STARVED) : Optional.empty();
  }

  /** Returns the time in which a process could not run. */
  public long total() {
    return nanos.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns whether a wait is over: the processes had {@code limit} to answer, or could not run for
   * most of it.
   */
  public boolean over(long waited, Duration limit) {
    return waited > limit.toNanos() && (waited - total() > limit.toNanos() || mostOf(waited));
  }

  private boolean mostOf(long waited) {
    return 2 * total() > waited;
  }

  /** Returns {@code failure}, blamed on what kept the processes from running for most of a wait. */
  public Failure blamed(Failure failure, long waited) {
    return nanos.entrySet().stream()
        .filter(any -> failure.cause() == Cause.ENGINE && mostOf(waited))
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .map(
            kind ->
                failure.blamedOn(
                    kind.cause,
                    "its process was %s for %.0f of %.0f s"
                        .formatted(kind.text, total() / 1e9, waited / 1e9)))
        .orElse(failure);
  }
}
