package kvrank.run;

import java.io.Closeable;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.machine.ProcessSample;
import kvrank.machine.ProcessWatch;
import kvrank.machine.ProcessorTimes;

/**
 * What part of the machine was used by others than server, client and this process. Interrupts are
 * nobody's: on the loopback interface they are mostly our own packets.
 */
final class BackgroundLoad implements Closeable {

  private final Optional<ProcessorTimes> times = ProcessorTimes.open();
  private final ProcessWatch self = ProcessWatch.alone(ProcessHandle.current().pid());
  private Optional<ProcessorTimes.Sample> before = Optional.empty();
  private double oursBefore;

  /**
   * Begins a stretch.
   *
   * @param ours CPU seconds of server and client so far
   */
  void begin(double ours) {
    before = times.flatMap(ProcessorTimes::sample);
    oursBefore = ours + own();
  }

  /**
   * Ends it: {@code others.cpuShare}, used by others, and {@code steal.cpuShare}, given to another
   * machine, both of all cores together and in [0, 1].
   *
   * @param ours CPU seconds of server and client so far
   */
  SortedMap<String, String> end(double ours) {
    SortedMap<String, String> facts = new TreeMap<>();
    double own = ours + own() - oursBefore;
    Optional<ProcessorTimes.Sample> during =
        before.flatMap(first -> times.flatMap(ProcessorTimes::sample).map(now -> now.since(first)));
    during
        .filter(sample -> sample.all() > 0)
        .ifPresent(
            sample -> {
              facts.put("others.cpuShare", share(sample.processes() - own, sample.all()));
              facts.put("steal.cpuShare", share(sample.steal(), sample.all()));
            });
    return facts;
  }

  private static String share(double part, double all) {
    return String.format(Locale.ROOT, "%.3f", Math.max(0, part) / all);
  }

  private double own() {
    return self.sample().map(ProcessSample::cpuSeconds).orElse(0.0);
  }

  @Override
  public void close() {
    self.close();
    times.ifPresent(ProcessorTimes::close);
  }
}
