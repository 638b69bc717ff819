package kvrank.machine;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What others did on the machine for half a second in which kvrank did nothing.
 *
 * @param others the part of all cores that they used, and of which the hypervisor took a part
 * @param busiest the process that used the most, such as {@code "make (pid 17)"}, if one can be
 *     seen
 */
public record QuietLook(BackgroundLoad.Shares others, Optional<String> busiest) {

  /** How long a look takes, so that shares mean something: a tick is 10 ms. */
  public static final Duration TIME = Duration.ofMillis(500);

  /** Looks; empty where the system does not say. */
  public static Optional<QuietLook> now() throws InterruptedException {
    BackgroundLoad load = new BackgroundLoad(0);
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

  /** The CPU time of the processes that can be seen, but for this one. */
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
