package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.metric.Unit;
import kvrank.results.Manifest;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;

/** What was measured on and with, in words and units. */
final class Machine {

  private static final Pattern KILOBYTES = Pattern.compile("(\\d+) kB");

  private final RankingIndex index;
  private final SortedMap<String, String> facts;

  Machine(RankingIndex index) {
    this.index = index;
    this.facts = index.results().environment();
  }

  /** Machine, storage, engines and client, a line each. */
  List<String> lines() {
    Manifest manifest = index.results().manifest();
    List<String> lines = new ArrayList<>();
    line(
        lines,
        "Machine",
        fact("cpu.model", ""),
        fact("cpu.cores", " cores") + (facts.containsKey("machine.virtual") ? " (virtual)" : ""),
        fact("memory.total", " memory"),
        fact("os.distribution", "").isEmpty() ? fact("os", "") : fact("os.distribution", ""),
        fact("isolation.serverCpus", "").isEmpty()
            ? ""
            : "engines on CPUs " + fact("isolation.serverCpus", ""));
    line(
        lines,
        "Storage",
        fact("storage.fileSystem", "")
            + (facts.containsKey("storage.device") ? " on " + facts.get("storage.device") : "")
            + (facts.containsKey("storage.medium")
                ? " (medium " + facts.get("storage.medium") + ")"
                : ""),
        facts.containsKey("storage.fdatasync.p50Nanos")
            ? "an fdatasync takes " + fact("storage.fdatasync.p50Nanos", "") + " in the median"
            : "",
        setting("fsync"));
    line(lines, "Engines", index.engines().stream().map(this::engine).toArray(String[]::new));
    line(
        lines,
        "Client",
        "kvrank " + manifest.kvrank(),
        facts.containsKey("java.version") ? "Java " + facts.get("java.version") : "",
        setting("threads"),
        setting("records"),
        setting("value-bytes"));
    return lines;
  }

  private static void line(List<String> lines, String what, String... parts) {
    String text =
        Stream.of(parts).filter(part -> !part.isBlank()).collect(Collectors.joining(", "));
    if (!text.isEmpty()) {
      lines.add(what + ": " + text);
    }
  }

  private String fact(String name, String after) {
    return facts.containsKey(name) ? value(name, facts.get(name)) + after : "";
  }

  private String setting(String name) {
    List<String> values = index.results().manifest().factors().getOrDefault(name, List.of());
    return values.isEmpty() ? "" : name + " " + String.join(", ", values);
  }

  /** For example {@code redis 7.0.15 (process)}. */
  private String engine(String engine) {
    return engine
        + seen(engine, "version").map(found -> " " + found).orElse("")
        + seen(engine, "way").map(found -> " (" + found + ")").orElse("");
  }

  private Optional<String> seen(String engine, String fact) {
    Set<String> values = new LinkedHashSet<>();
    for (RunRecord run : index.results().runs()) {
      if (run.engine().equals(engine) && run.facts().containsKey(fact)) {
        values.add(run.facts().get(fact));
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", values));
  }

  /** Every fact of the machine. */
  Table table() {
    List<Map.Entry<String, String>> shown =
        facts.entrySet().stream()
            .filter(fact -> !fact.getKey().startsWith("machine.warning."))
            .toList();
    return new Columns<>(shown)
        .left("fact", fact -> name(fact.getKey()))
        .left("value", fact -> value(fact.getKey(), fact.getValue()))
        .table();
  }

  /** The name of a fact in words; its unit stands at its value. */
  static String name(String fact) {
    return fact.replaceAll("(Bytes|Nanos|Millis)$", "")
        .replaceAll("cpuShare$", "cpu")
        .replaceAll("(?<=[a-z0-9])(?=[A-Z][a-z])", " ")
        .replace('.', ' ')
        .toLowerCase(Locale.ROOT)
        .replace("cpu", "CPU");
  }

  /** The value of a fact with its unit, which the end of its name says. */
  static String value(String fact, String value) {
    Matcher kilobytes = KILOBYTES.matcher(value);
    if (kilobytes.matches()) {
      return Quantities.of(Unit.BYTES, Double.parseDouble(kilobytes.group(1)) * 1024);
    }
    if (!value.matches("-?[0-9]+(\\.[0-9]+)?")) {
      return value.isEmpty() ? "(empty)" : value;
    }
    double number = Double.parseDouble(value);
    return fact.endsWith("Bytes")
        ? Quantities.of(Unit.BYTES, number)
        : fact.endsWith("Nanos")
            ? Quantities.of(Unit.NANOSECONDS, number)
            : fact.endsWith("Millis")
                ? Quantities.of(Unit.SECONDS, number / 1e3)
                : fact.endsWith("cpuShare") ? Quantities.portion(number) : value;
  }
}
