package kvrank.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/** Watches the machine from its creation on, while this process prepares other things. */
public final class ConditionsWatch {

  /** Other processes that use more than this share of all cores are noise. */
  private static final double OTHERS = 0.05;

  /** A hypervisor that gives more than this share to others affects results. */
  private static final double STEAL = 0.01;

  /** Runnable processes per core; an idle machine has none. */
  private static final double LOAD = 0.5;

  private final Path proc;
  private final Path sys;
  private final long startNanos = System.nanoTime();
  private final BackgroundLoad background = new BackgroundLoad(0, false);
  private final Facts facts = new Facts();
  private final List<String> warnings = new ArrayList<>();

  /** Starts to watch. */
  public ConditionsWatch() {
    this(Path.of("/proc"), Path.of("/sys"));
  }

  /** Starts to watch, with replacements for {@code /proc} and {@code /sys}. */
  ConditionsWatch(Path proc, Path sys) {
    this.proc = proc;
    this.sys = sys;
  }

  /**
   * The state of a machine before the first measurement.
   *
   * @param facts the observations, warnings included
   * @param warnings conditions that weaken measurements, each with the next step
   */
  public record Conditions(Facts facts, List<String> warnings) {}

  /** Returns the state, after a wait if the observation is too short. Call it once. */
  public Conditions conditions() throws InterruptedException {
    long left = QuietLook.TIME.toNanos() - (System.nanoTime() - startNanos);
    TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
    clocks();
    load();
    background.shares(0).ifPresent(this::shares);
    for (int i = 0; i < warnings.size(); i++) {
      facts.put(Fact.MACHINE_WARNING, i + 1, warnings.get(i));
    }
    return new Conditions(facts, warnings);
  }

  private void shares(BackgroundLoad.Shares shares) {
    facts.putAll(shares.facts());
    warnings.addAll(warnings(shares));
  }

  static List<String> warnings(BackgroundLoad.Shares shares) {
    List<String> warnings = new ArrayList<>();
    if (shares.others() > OTHERS) {
      warnings.add(
          "other processes use %.0f %% of this machine; end them, or wait"
              .formatted(100 * shares.others()));
    }
    if (shares.steal() > STEAL) {
      warnings.add(
          ("the hypervisor gives %.0f %% of this virtual machine's time to others; use a dedicated"
                  + " machine for figures that matter")
              .formatted(100 * shares.steal()));
    }
    return warnings;
  }

  /** Adds whether clocks vary, as far as the system reports it. */
  private void clocks() {
    String governors = String.join(", ", governors());
    if (!governors.isEmpty()) {
      facts.put(Fact.CPU_GOVERNOR, governors);
      if (!governors.equals("performance")) {
        warnings.add(
            ("the CPU governor is '%s', so clocks follow the load; 'cpupower frequency-set -g"
                    + " performance' prevents that")
                .formatted(governors));
      }
    }
    Path cpu = sys.resolve("devices/system/cpu");
    SystemFile.text(cpu.resolve("intel_pstate/no_turbo"))
        .map(off -> off.equals("1") ? "off" : "on")
        .or(
            () ->
                SystemFile.text(cpu.resolve("cpufreq/boost"))
                    .map(on -> on.equals("1") ? "on" : "off"))
        .ifPresent(turbo -> facts.put(Fact.CPU_TURBO, turbo));
    String info = SystemFile.text(proc.resolve("cpuinfo")).orElse("");
    if (info.contains("flags")) {
      boolean virtual = (info + "\n").matches("(?s).*\\nflags[^\\n]* hypervisor[ \\n].*");
      facts.put(Fact.MACHINE_VIRTUAL, virtual);
    }
  }

  private Set<String> governors() {
    Set<String> governors = new TreeSet<>();
    Path policies = sys.resolve("devices/system/cpu/cpufreq");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(policies, "policy*")) {
      for (Path policy : all) {
        SystemFile.text(policy.resolve("scaling_governor")).ifPresent(governors::add);
      }
    } catch (IOException e) {
      // Not on this system.
    }
    return governors;
  }

  private void load() {
    int cores = Runtime.getRuntime().availableProcessors();
    String averages = SystemFile.text(proc.resolve("loadavg")).orElse("0");
    double average = Double.parseDouble(averages.split(" ", 2)[0]);
    if (average > LOAD * cores) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "the load average is %.2f with %d cores: the machine was busy a minute ago",
              average,
              cores));
    }
  }
}
