package kvrank.machine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The timer interrupts of all CPUs, and the context switches: a timer that lets a thread run causes
 * both. Many kernels count the time of an interrupt as that of the thread which it interrupts, so
 * timers that wake no thread slow others unseen.
 *
 * @param seconds by {@link System#nanoTime}
 */
public record TimerInterrupts(double seconds, long cpus, long interrupts, long switches) {

  /** Returns the counters; empty if the system does not report them. */
  public static Optional<TimerInterrupts> now() {
    return of(Path.of("/proc"), System.nanoTime() / 1e9);
  }

  static Optional<TimerInterrupts> of(Path proc, double seconds) {
    long[] timers =
        SystemFile.text(proc.resolve("interrupts"))
            .flatMap(text -> SystemFile.find(text, "\\s*LOC:([\\s\\d]+)"))
            .stream()
            .flatMap(counts -> Stream.of(counts.strip().split("\\s+")))
            .mapToLong(Long::parseLong)
            .toArray();
    String stat = SystemFile.text(proc.resolve("stat")).orElse("");
    long sum = Arrays.stream(timers).sum();
    return SystemFile.number(stat, "ctxt").stream()
        .filter(any -> timers.length > 0)
        .mapToObj(switches -> new TimerInterrupts(seconds, timers.length, sum, switches))
        .findFirst();
  }

  /** Returns the interrupts beyond switches, per second and CPU, at least 0. */
  public OptionalDouble excessSince(TimerInterrupts before) {
    double time = (seconds - before.seconds) * cpus;
    double excess = interrupts - before.interrupts - (switches - before.switches);
    return time > 0 && cpus == before.cpus
        ? OptionalDouble.of(Math.max(0, excess / time))
        : OptionalDouble.empty();
  }
}
