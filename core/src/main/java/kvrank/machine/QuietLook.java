package kvrank.machine;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The use of the machine by others during half a second in which kvrank is idle.
 *
 * @param others the share of all cores that they used, and the hypervisor's part of it
 * @param busiest the process that used the most, such as {@code "make (pid 17)"}, if one is visible
 */
public record QuietLook(BackgroundLoad.Shares others, Optional<String> busiest) {

  /** The length of an observation, long compared with a tick of 10 ms. */
  public static final Duration TIME = Duration.ofMillis(500);

  /** Returns an observation; empty if the system does not report it. */
  public static Optional<QuietLook> now() throws InterruptedException {
    BackgroundLoad load = new BackgroundLoad(0, false);
    Map<ProcessHandle, Duration> before = processes();
    TimeUnit.MILLISECONDS.sleep(TIME.toMillis());
    Optional<BackgroundLoad.Shares> others = load.shares(0);
    Map<ProcessHandle, Duration> used = processes();
    used.replaceAll((process, time) -> time.minus(before.getOrDefault(process, time)));
    Optional<String> busiest =
        used.entrySet().stream()
            .filter(each -> each.getValue().compareTo(TIME.dividedBy(20)) > 0)
            .max(Comparator.comparing(Map.Entry::getValue))
            .map(each -> name(each.getKey()));
    return others.map(shares -> new QuietLook(shares, busiest));
  }

  /** Returns the CPU time of visible processes, except this one. */
  private static Map<ProcessHandle, Duration> processes() {
    return ProcessHandle.allProcesses()
        .filter(process -> !process.equals(ProcessHandle.current()))
        .collect(
            Collectors.toMap(
                process -> process,
                process -> process.info().totalCpuDuration().orElse(Duration.ZERO)));
  }

  private static String name(ProcessHandle process) {
    String command = process.info().command().orElse("a process");
    return "%s (pid %d)".formatted(command.replaceFirst(".*/", ""), process.pid());
  }
}
