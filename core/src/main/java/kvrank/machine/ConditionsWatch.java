package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Looks at a machine from its making on, while other preparations go on in this process. */
public final class ConditionsWatch implements Closeable {

  /** The least time in which shares mean something: a tick is 10 ms. */
  private static final Duration LEAST = Duration.ofMillis(500);

  /** Others that use more than this share of all cores are noise. */
  private static final double OTHERS = 0.05;

  /** A hypervisor that gives away more than this share is felt. */
  private static final double STEAL = 0.01;

  /** Processes that want to run, by core; a machine at rest has none. */
  private static final double LOAD = 0.5;

  private final Path proc;
  private final Path sys;
  private final long startNanos = System.nanoTime();
  private final ProcessWatch self = ProcessWatch.alone(ProcessHandle.current().pid());
  private final Optional<ProcessorTimes> times = ProcessorTimes.open();
  private final Optional<ProcessorTimes.Sample> before = times.flatMap(ProcessorTimes::sample);
  private final double ownBefore = own();

  /** Begins to look. */
  public ConditionsWatch() {
    this(Path.of("/proc"), Path.of("/sys"));
  }

  /**
   * Begins to look.
   *
   * @param proc {@code /proc}, or what stands for it, where it says what the machine is
   * @param sys {@code /sys}, or what stands for it
   */
  ConditionsWatch(Path proc, Path sys) {
    this.proc = proc;
    this.sys = sys;
  }

  private double own() {
    return self.sample().map(ProcessSample::cpuSeconds).orElse(0.0);
  }

  /** Returns what was seen so far; waits until that is enough. */
  public Conditions conditions() throws InterruptedException {
    long left = LEAST.toNanos() - (System.nanoTime() - startNanos);
    TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
    double own = own() - ownBefore;
    Optional<ProcessorTimes.Sample> during =
        before.flatMap(first -> times.flatMap(ProcessorTimes::sample).map(now -> now.since(first)));
    SortedMap<String, String> facts = new TreeMap<>();
    List<String> warnings = new ArrayList<>();
    clocks(facts, warnings);
    load(warnings);
    during
        .filter(sample -> sample.all() > 0)
        .ifPresent(
            sample ->
                shares(
                    Math.max(0, sample.processes() - own) / sample.all(),
                    sample.steal() / sample.all(),
                    facts,
                    warnings));
    return new Conditions(facts, warnings);
  }

  /** Adds what others take of all cores, in [0, 1]. */
  static void shares(
      double others, double steal, SortedMap<String, String> facts, List<String> warnings) {
    facts.put("others.cpuShare", String.format(Locale.ROOT, "%.3f", others));
    facts.put("steal.cpuShare", String.format(Locale.ROOT, "%.3f", steal));
    if (others > OTHERS) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "other processes use %.0f %% of this machine; end them, or wait",
              100 * others));
    }
    if (steal > STEAL) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the hypervisor gives %.0f %% of this virtual machine's time to others; take a"
                  + " machine of your own for figures that matter",
              100 * steal));
    }
  }

  /** Whether clocks vary: {@code cpu.governor}, {@code cpu.turbo}, {@code machine.virtual}. */
  private void clocks(SortedMap<String, String> facts, List<String> warnings) {
    Set<String> governors = governors();
    if (!governors.isEmpty()) {
      facts.put("cpu.governor", String.join(", ", governors));
      if (!governors.equals(Set.of("performance"))) {
        warnings.add(
            "the CPU governor is '%s', so clocks follow the load; 'cpupower frequency-set -g performance' keeps them up"
                .formatted(String.join(", ", governors)));
      }
    }
    Path cpu = sys.resolve("devices/system/cpu");
    SystemFile.text(cpu.resolve("intel_pstate/no_turbo"))
        .map(off -> off.equals("1") ? "off" : "on")
        .or(
            () ->
                SystemFile.text(cpu.resolve("cpufreq/boost"))
                    .map(on -> on.equals("1") ? "on" : "off"))
        .ifPresent(turbo -> facts.put("cpu.turbo", turbo));
    SystemFile.text(proc.resolve("cpuinfo"))
        .filter(info -> info.contains("flags"))
        .ifPresent(
            info ->
                facts.put(
                    "machine.virtual",
                    info.matches("(?s).*\\nflags[^\\n]* hypervisor[ \\n].*") ? "yes" : "no"));
  }

  private Set<String> governors() {
    Set<String> governors = new TreeSet<>();
    Path policies = sys.resolve("devices/system/cpu/cpufreq");
    if (Files.isDirectory(policies)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(policies, "policy*")) {
        all.forEach(
            policy ->
                SystemFile.text(policy.resolve("scaling_governor")).ifPresent(governors::add));
      } catch (IOException e) {
        // Not on this system.
      }
    }
    return governors;
  }

  private void load(List<String> warnings) {
    int cores = Runtime.getRuntime().availableProcessors();
    SystemFile.text(proc.resolve("loadavg"))
        .map(averages -> Double.parseDouble(averages.split(" ", 2)[0]))
        .filter(average -> average > LOAD * cores)
        .ifPresent(
            average ->
                warnings.add(
                    String.format(
                        Locale.ROOT,
                        "the load average is %.2f with %d cores: the machine was busy a minute ago",
                        average,
                        cores)));
  }

  @Override
  public void close() {
    self.close();
    times.ifPresent(ProcessorTimes::close);
  }
}
