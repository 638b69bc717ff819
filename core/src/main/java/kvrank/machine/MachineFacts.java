package kvrank.machine;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The facts of this machine that a reader of the results needs. */
public final class MachineFacts {

  private MachineFacts() {}

  /** Facts by name; what cannot be learned here is left out. */
  public static SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("cpu.cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("java.version", System.getProperty("java.runtime.version"));
    facts.put("java.vm", System.getProperty("java.vm.name"));
    for (String part : List.of("os.name", "os.version", "os.arch")) {
      facts.merge("os", System.getProperty(part), (one, other) -> one + " " + other);
    }
    SystemFile.text(Path.of("/proc/sys/kernel/hostname"))
        .or(MachineFacts::host)
        .ifPresent(name -> facts.put("host", name));
    line(facts, "cpu.model", "/proc/cpuinfo", "model name\\h*:(.*)");
    line(facts, "memory.total", "/proc/meminfo", "MemTotal:(.*)");
    line(facts, "os.distribution", "/etc/os-release", "PRETTY_NAME=\"?([^\"\n]*)");
    line(facts, "load.average", "/proc/loadavg", "(\\S+ \\S+ \\S+)");
    return facts;
  }

  private static Optional<String> host() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static void line(
      SortedMap<String, String> facts, String name, String file, String regex) {
    SystemFile.text(Path.of(file))
        .flatMap(text -> SystemFile.find(text, regex))
        .ifPresent(value -> facts.put(name, value.strip()));
  }
}
