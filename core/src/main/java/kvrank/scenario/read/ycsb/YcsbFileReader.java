package kvrank.scenario.read.ycsb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.input.Suggestion;
import kvrank.input.YamlValue;
import kvrank.scenario.Setting;
import kvrank.workload.HostedWorkload;
import kvrank.workload.Workload;

/**
 * Reads a YCSB property file as {@link YcsbProperty} states. {@code CoreWorkload} becomes a
 * workload of kvrank with the defaults of YCSB 0.17, unless the scenario asks for its class; any
 * other class is hosted.
 */
public final class YcsbFileReader {

  /** A workload, and the settings that its file states among its properties. */
  public record YcsbFile(
      Workload workload,
      SortedMap<Setting, Located<String>> settings,
      SortedMap<String, String> properties) {}

  private static final Map<String, Setting> SETTINGS =
      new TreeMap<>(
          Map.of(
              "recordcount", Setting.RECORDS,
              "operationcount", Setting.OPERATIONS,
              "maxexecutiontime", Setting.DURATION,
              "warmuptime", Setting.WARMUP,
              "threadcount", Setting.THREADS,
              "target", Setting.RATE,
              "batch.size", Setting.BATCH));

  private static final String SEVERAL_FIELDS =
      "kvrank's bindings store one value per record, and answer BAD_REQUEST without fieldcount 1";

  private final PropertyFile file;
  private final String name;
  private final List<String> notes = new ArrayList<>();

  public YcsbFileReader(PropertyFile file) {
    this.file = file;
    this.name = file.place().file().getFileName().toString();
  }

  /**
   * Reads the file.
   *
   * @param host the scenario's class for all properties, instead of the file's; may be missing
   * @param classpath for the class
   */
  public Optional<YcsbFile> read(YamlValue host, List<Path> classpath) {
    YamlValue named = host.or(file.get("workload"));
    String type = YcsbClasses.current(named.isPresent() ? named.tree().toString() : "");
    boolean core =
        !host.isPresent()
            && (type.isEmpty() || type.equals("core") || type.equals(YcsbClasses.CORE));
    notes.add("from the YCSB file %s".formatted(name));
    checkNames(core, YcsbClasses.shipped(type));
    SortedMap<Setting, Located<String>> settings = settings();
    Optional<Workload> workload =
        core
            ? Optional.of(new YcsbCoreReader(file, name, notes).read())
            : hosted(named.with(type), classpath);
    return workload.map(
        read -> new YcsbFile(core ? read.withNotes(notes) : read, settings, file.texts()));
  }

  private Optional<Workload> hosted(YamlValue type, List<Path> classpath) {
    if (!YcsbClasses.exists(type, classpath)) {
      return Optional.empty();
    }
    String className = type.className().orElseThrow();
    SortedMap<String, String> properties = file.texts();
    properties.put("workload", className);
    return Optional.of(hosted(name, new HostedWorkload(className, properties, classpath), notes));
  }

  /** Returns a hosted workload with {@code notes}, and one on fields if it has several. */
  public static Workload hosted(String name, HostedWorkload hosted, List<String> notes) {
    boolean fields =
        YcsbClasses.shipped(hosted.className())
            && !hosted.properties().getOrDefault("fieldcount", "").equals("1");
    List<String> all = new ArrayList<>(notes);
    if (fields && !all.contains(SEVERAL_FIELDS)) {
      all.add(SEVERAL_FIELDS);
    }
    return Workload.hosted(name, "YCSB's workload class " + hosted.className() + ".", hosted)
        .withNotes(all);
  }

  /** Reports unknown and refused properties, and notes the ignored ones. */
  private void checkNames(boolean core, boolean ofYcsb) {
    List<String> ignored = new ArrayList<>();
    file.values()
        .forEach(
            (key, value) -> {
              if (core || ofYcsb) {
                check(key, value.place(), core).ifPresent(ignored::add);
              }
            });
    if (!ignored.isEmpty()) {
      notes.add("ignored: " + String.join(", ", ignored));
    }
  }

  /** Returns {@code key} if it is ignored; reports one that is refused or not known. */
  public static Optional<String> check(String key, SourceLocation place, boolean core) {
    Optional<YcsbProperty> known = YcsbProperty.of(key).or(() -> YcsbProperty.dotted(key));
    if (known.isEmpty()) {
      if (!YcsbProperty.ofBinding(key)) {
        place.report(
            "%s", "unknown property '" + key + "'" + suggestion(key, YcsbProperty.meant()));
        return Optional.empty();
      }
      SortedSet<String> names = YcsbProperty.meantByDotted(key);
      boolean similar = Suggestion.nearest(key, names).isPresent();
      if (similar) {
        place.report("%s", "unknown property '" + key + "'" + suggestion(key, names));
      }
      return Optional.of(key).filter(any -> !similar);
    }
    return switch (known.get().treatment()) {
      case APPLIED -> Optional.empty();
      case IGNORED -> Optional.of(key);
      case REFUSED -> {
        if (core) {
          place.report("%s", known.get().message());
        }
        yield Optional.empty();
      }
    };
  }

  private static String suggestion(String key, SortedSet<String> names) {
    return Suggestion.nearest(key, names)
        .map(near -> "; did you mean '" + near + "'?")
        .orElse("; remove it, or see docs/reference/ycsb.md for the known ones");
  }

  private SortedMap<Setting, Located<String>> settings() {
    SortedMap<Setting, Located<String>> settings = new TreeMap<>();
    SETTINGS.forEach(
        (key, setting) -> {
          YamlValue value = file.get(key);
          value
              .integer(0, Setting.RECORDS.most())
              .filter(number -> number > 0)
              .flatMap(
                  number ->
                      setting.read(
                          setting == Setting.DURATION || setting == Setting.WARMUP
                              ? value.with(number + "s")
                              : value))
              .ifPresent(text -> settings.put(setting, new Located<>(text, value.place())));
        });
    YamlValue integrity = file.get("dataintegrity");
    if (integrity.flag().orElse(false)) {
      settings.put(Setting.VERIFY, new Located<>("values", integrity.place()));
    }
    return settings;
  }

  /** Returns the property that states {@code setting}. */
  public static String property(Setting setting) {
    return SETTINGS.entrySet().stream()
        .filter(entry -> entry.getValue() == setting)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("dataintegrity");
  }
}
