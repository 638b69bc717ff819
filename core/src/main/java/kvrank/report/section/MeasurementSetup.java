package kvrank.report.section;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.fact.YesNo;
import kvrank.metric.Unit;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.ranking.Labels;
import kvrank.stats.RankingIndex;
import kvrank.stats.VariantLabels;

/** The machine, storage, engines and client of the measurements, as text. */
public final class MeasurementSetup {

  private static final Pattern KILOBYTES = Pattern.compile("(\\d+) kB");

  private static final int VALUES_SHOWN = 4;

  private final RankingIndex index;
  private final Facts facts;

  public MeasurementSetup(RankingIndex index) {
    this.index = index;
    this.facts = index.results().environment();
  }

  /** Returns a line each for machine, storage, engines and client. */
  public List<String> lines() {
    String virtual =
        facts.text(Fact.MACHINE_VIRTUAL).contains(YesNo.YES.label()) ? " (virtual)" : "";
    String distribution = fact("", Fact.OS_DISTRIBUTION, "");
    List<String> lines = new ArrayList<>();
    line(
        lines,
        "Machine: ",
        fact("", Fact.CPU_MODEL, ""),
        fact("", Fact.CPU_CORES, " cores") + virtual,
        fact("", Fact.MEMORY_TOTAL, " memory"),
        distribution.isEmpty() ? fact("", Fact.OS, "") : distribution,
        fact("engines on CPUs ", Fact.ISOLATION_SERVER_CPUS, ""));
    line(
        lines,
        "Storage: ",
        storage(),
        fact("median fdatasync ", Fact.STORAGE_FDATASYNC_P50_NANOS, ""),
        setting("fsync"));
    line(lines, "Engines: ", index.engines().stream().map(this::engine).toArray(String[]::new));
    line(
        lines,
        "Client: ",
        "kvrank " + String.join(" and ", index.results().versions()),
        fact("Java ", Fact.JAVA_VERSION, ""),
        setting("threads"),
        setting("records"),
        setting("value-bytes"));
    return lines;
  }

  /** Returns for example {@code ext4 on vda (medium unknown)}; empty in results without facts. */
  public String storage() {
    return fact("", Fact.STORAGE_FILE_SYSTEM, "")
        + fact(" on ", Fact.STORAGE_DEVICE, "")
        + fact(" (medium ", Fact.STORAGE_MEDIUM, fact(", ", Fact.STORAGE_MODEL, "") + ")");
  }

  private static void line(List<String> lines, String what, String... parts) {
    String text =
        Stream.of(parts).filter(part -> !part.isBlank()).collect(Collectors.joining(", "));
    if (!text.isEmpty()) {
      lines.add(what + text);
    }
  }

  private String fact(String before, Fact fact, String after) {
    return facts.find(fact).map(text -> before + value(fact.unit(), text) + after).orElse("");
  }

  private String setting(String name) {
    List<String> values = index.results().manifest().factors().getOrDefault(name, List.of());
    return values.isEmpty() ? "" : name + " " + String.join(", ", values);
  }

  /**
   * Returns for example {@code redis 7.0.15 (process)}, {@code redis 6.2.11 of 2023 (bundled)} or
   * {@code redis 7.2.5 (container, redis@sha256:0123456789ab…)}.
   */
  private String engine(String engine) {
    String digest = seen(", ", engine, Fact.IMAGE_DIGEST);
    String image = digest.isEmpty() ? seen(", ", engine, Fact.IMAGE_ID) : digest;
    String way = seen(" (", engine, Fact.WAY);
    return engine
        + seen(" ", engine, Fact.ENGINE_VERSION)
        + seen(" of ", engine, Fact.RELEASED)
        + (way.isEmpty() ? "" : way + image + ")");
  }

  private String seen(String before, String engine, Fact fact) {
    String values =
        index.results().runs().stream()
            .filter(run -> run.engine().equals(engine))
            .flatMap(run -> run.facts().find(fact).stream())
            .distinct()
            .map(VariantLabels::brief)
            .collect(Collectors.joining(" and "));
    return values.isEmpty() ? "" : before + values;
  }

  /** Returns the section with all facts of the machine, settings, and facts of each engine. */
  public List<Block> blocks() {
    Blocks blocks = new Blocks().heading(2, "Environment");
    if (!facts.asMap().isEmpty()) {
      blocks.folded("The machine", List.of(table()));
    }
    Map<String, List<String>> factors = new LinkedHashMap<>(index.results().manifest().factors());
    factors.values().removeIf(List::isEmpty);
    Columns<Map.Entry<String, List<String>>> settings =
        new Columns<>(factors.entrySet())
            .left("setting", Map.Entry::getKey)
            .left("values", setting -> String.join(", ", setting.getValue()));
    blocks.folded("Settings", List.of(settings.table()));
    for (String engine : index.engines()) {
      blocks.folded("Facts about " + engine, facts(engine));
    }
    return blocks.list();
  }

  private List<Table> facts(String engine) {
    Map<String, Set<String>> values = new TreeMap<>();
    index.results().runs().stream()
        .filter(run -> run.engine().equals(engine))
        .flatMap(run -> run.facts().asMap().entrySet().stream())
        .distinct() // before each is formatted
        .forEach(
            fact ->
                values
                    .computeIfAbsent(fact.getKey(), name -> new LinkedHashSet<>())
                    .add(value(Level.RUN, fact.getKey(), fact.getValue())));
    return new Columns<>(values.entrySet())
        .left("fact", fact -> name(Level.RUN, fact.getKey()))
        .left(
            "value",
            fact -> String.join(", ", Labels.first(List.copyOf(fact.getValue()), VALUES_SHOWN)))
        .ifAny("");
  }

  private Table table() {
    SortedMap<String, String> shown = new TreeMap<>(facts.asMap());
    shown.keySet().removeIf(Fact.MACHINE_WARNING::names);
    return new Columns<>(shown.entrySet())
        .left("fact", fact -> name(Level.MACHINE, fact.getKey()))
        .left("value", fact -> value(Level.MACHINE, fact.getKey(), fact.getValue()))
        .table();
  }

  /** Returns the name of a fact as text, without its unit, which is shown with the value. */
  public static String name(Level level, String fact) {
    String suffix = unit(level, fact).suffix();
    String named = fact.endsWith(suffix) ? fact.substring(0, fact.lastIndexOf(suffix)) : fact;
    return named
        .replaceAll("(?<=[a-z0-9])(?=[A-Z][a-z])", " ")
        .replace('.', ' ')
        .toLowerCase(Locale.ROOT)
        .replace("cpu", "CPU");
  }

  /** Returns the value of a fact, or its values in several executions, with unit. */
  public static String value(Level level, String fact, String values) {
    return value(unit(level, fact), values);
  }

  private static String value(kvrank.fact.Unit unit, String values) {
    return Stream.of(values.split("; ", -1))
        .map(value -> single(unit, value))
        .collect(Collectors.joining("; "));
  }

  private static String single(kvrank.fact.Unit unit, String value) {
    Matcher kilobytes = KILOBYTES.matcher(value);
    if (kilobytes.matches()) {
      return Quantities.of(Unit.BYTES, Double.parseDouble(kilobytes.group(1)) * 1024);
    }
    if (!value.matches("-?[0-9]+(\\.[0-9]+)?")) {
      return value.isEmpty() ? "(empty)" : value;
    }
    double number = Double.parseDouble(value);
    return switch (unit) {
      case BYTES -> Quantities.of(Unit.BYTES, number);
      case NANOSECONDS -> Quantities.of(Unit.NANOSECONDS, number);
      case MILLISECONDS -> Quantities.of(Unit.SECONDS, number / 1e3);
      case SECONDS -> Quantities.of(Unit.SECONDS, number);
      case PER_SECOND -> Quantities.of(Unit.PER_SECOND, number);
      case SHARE -> Quantities.portion(number);
      case COUNT, RATIO, TEXT -> value;
    };
  }

  private static kvrank.fact.Unit unit(Level level, String fact) {
    return Fact.find(level, fact).map(Fact::unit).orElse(kvrank.fact.Unit.TEXT);
  }
}
