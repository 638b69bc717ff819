package kvrank.machine;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/** The facts of this machine that a reader of the results needs. */
public final class MachineFacts {

  private MachineFacts() {}

  /** Returns the facts; unknown ones are left out. */
  public static Facts facts() {
    Facts facts = new Facts();
    facts.put(Fact.CPU_CORES, Runtime.getRuntime().availableProcessors());
    facts.put(Fact.JAVA_VERSION, System.getProperty("java.runtime.version"));
    facts.put(Fact.JAVA_VM, System.getProperty("java.vm.name"));
    facts.put(
        Fact.OS,
        Stream.of("os.name", "os.version", "os.arch")
            .map(System::getProperty)
            .collect(Collectors.joining(" ")));
    SystemFile.text(Path.of("/proc/sys/kernel/hostname"))
        .or(MachineFacts::host)
        .ifPresent(name -> facts.put(Fact.HOST, name));
    line(facts, Fact.CPU_MODEL, "/proc/cpuinfo", "model name\\h*:(.*)");
    line(facts, Fact.MEMORY_TOTAL, "/proc/meminfo", "MemTotal:(.*)");
    line(facts, Fact.OS_DISTRIBUTION, "/etc/os-release", "PRETTY_NAME=\"?([^\"\n]*)");
    line(facts, Fact.LOAD_AVERAGE, "/proc/loadavg", "(\\S+ \\S+ \\S+)");
    return facts;
  }

  private static Optional<String> host() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static void line(Facts facts, Fact fact, String file, String regex) {
    SystemFile.text(Path.of(file))
        .flatMap(text -> SystemFile.find(text, regex))
        .ifPresent(value -> facts.put(fact, value.strip()));
  }
}
