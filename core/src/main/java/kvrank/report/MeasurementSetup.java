package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.metric.Unit;
import kvrank.stats.RankingIndex;

/** The machine, storage, engines and client of the measurements, in words and units. */
final class MeasurementSetup {

  private static final Pattern KILOBYTES = Pattern.compile("(\\d+) kB");

  private final RankingIndex index;
  private final SortedMap<String, String> facts;

  MeasurementSetup(RankingIndex index) {
    this.index = index;
    this.facts = index.results().environment();
  }

  /** Machine, storage, engines and client, a line each. */
  List<String> lines() {
    String virtual = facts.containsKey("machine.virtual") ? " (virtual)" : "";
    String distribution = fact("", "os.distribution", "");
    String device = fact(" on ", "storage.device", "") + fact(" (medium ", "storage.medium", ")");
    List<String> lines = new ArrayList<>();
    line(
        lines,
        "Machine: ",
        fact("", "cpu.model", ""),
        fact("", "cpu.cores", " cores") + virtual,
        fact("", "memory.total", " memory"),
        distribution.isEmpty() ? fact("", "os", "") : distribution,
        fact("engines on CPUs ", "isolation.serverCpus", ""));
    line(
        lines,
        "Storage: ",
        fact("", "storage.fileSystem", "") + device,
        fact("an fdatasync takes ", "storage.fdatasync.p50Nanos", " in the median"),
        setting("fsync"));
    line(lines, "Engines: ", index.engines().stream().map(this::engine).toArray(String[]::new));
    line(
        lines,
        "Client: ",
        "kvrank " + index.results().manifest().kvrank(),
        fact("Java ", "java.version", ""),
        setting("threads"),
        setting("records"),
        setting("value-bytes"));
    return lines;
  }

  private static void line(List<String> lines, String what, String... parts) {
    String text =
        Stream.of(parts).filter(part -> !part.isBlank()).collect(Collectors.joining(", "));
    if (!text.isEmpty()) {
      lines.add(what + text);
    }
  }

  private String fact(String before, String name, String after) {
    String value = facts.get(name);
    return value == null ? "" : before + value(name, value) + after;
  }

  private String setting(String name) {
    List<String> values = index.results().manifest().factors().getOrDefault(name, List.of());
    return values.isEmpty() ? "" : name + " " + String.join(", ", values);
  }

  /** For example {@code redis 7.0.15 (process)}. */
  private String engine(String engine) {
    return engine + seen(" ", engine, "version", "") + seen(" (", engine, "way", ")");
  }

  private String seen(String before, String engine, String fact, String after) {
    String values =
        index.results().runs().stream()
            .filter(run -> run.engine().equals(engine) && run.facts().containsKey(fact))
            .map(run -> run.facts().get(fact))
            .distinct()
            .collect(Collectors.joining(" and "));
    return values.isEmpty() ? "" : before + values + after;
  }

  Table table() {
    SortedMap<String, String> shown = new TreeMap<>(facts);
    shown.keySet().removeIf(fact -> fact.startsWith("machine.warning."));
    return new Columns<>(shown.entrySet())
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

  /** The value of a fact, or those of several executions, with the unit of {@code fact}. */
  static String value(String fact, String values) {
    return Stream.of(values.split("; ", -1))
        .map(each -> single(fact, each))
        .collect(Collectors.joining("; "));
  }

  private static String single(String fact, String value) {
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
