package kvrank.scenario.read;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.input.Diagnostics;
import kvrank.input.InputFile;
import kvrank.input.SourceLocation;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;
import kvrank.scenario.Setting;
import kvrank.workload.HostedWorkload;
import kvrank.workload.OperationMix;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;

/**
 * Reads a YCSB property file. {@code CoreWorkload} becomes a workload of kvrank with the defaults
 * of YCSB 0.17; properties that the scenario replaces (counts, threads, target) and that kvrank
 * does not have (tables, fields) are ignored. Any other class is hosted.
 */
final class YcsbWorkloadReader {

  /** {@code user} and the digits of a 64-bit hash. */
  private static final int KEY_BYTES = 23;

  private final Properties properties = new Properties();
  private final List<String> lines = new ArrayList<>();
  private final Diagnostics reading;
  private final Path file;

  YcsbWorkloadReader(Diagnostics reading, Path file) {
    this.reading = reading;
    this.file = file;
  }

  /** Reads the file; {@code classpath} is for a class that it may name. */
  Optional<Workload> read(List<Path> classpath) {
    reading.opened(file);
    try {
      String text = InputFile.text(file, YamlFile.LARGEST_MEBIBYTES);
      lines.addAll(text.lines().toList());
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      place("").report("the file cannot be read: " + e.getMessage());
      return Optional.empty();
    }
    String type = properties.getProperty("workload", "").strip();
    if (!type.isEmpty() && !type.endsWith(".CoreWorkload")) {
      return hosted(type, classpath);
    }
    SortedMap<Operation, Integer> operations = operations();
    return Optional.of(
        new Workload(
            file.getFileName().toString(),
            "YCSB's core workload with the properties of " + file.getFileName() + ".",
            new OperationMix(
                operations,
                keys(),
                operations.containsKey(Operation.RANGE_SCAN)
                    ? scanRecords()
                    : WorkloadReader.DEFAULT_SCAN_RECORDS,
                false),
            Optional.of(new KeyShape(KEY_BYTES, KeyShape.DEFAULT.perPrefix())),
            Optional.of(values()),
            Optional.empty(),
            Optional.empty()));
  }

  private Optional<Workload> hosted(String type, List<Path> classpath) {
    SortedMap<String, String> stripped = new TreeMap<>();
    properties.forEach((name, value) -> stripped.put(name.toString(), value.toString().strip()));
    HostedWorkload hosted = new HostedWorkload(type, stripped, classpath);
    return value("workload")
        .className()
        .map(name -> WorkloadReader.hosted(file.getFileName().toString(), hosted));
  }

  private SortedMap<Operation, Integer> operations() {
    SortedMap<Operation, Integer> result = new TreeMap<>();
    result.put(Operation.READ, weight("read", 0.95));
    result.put(Operation.UPDATE, weight("update", 0.05));
    result.put(Operation.INSERT, weight("insert", 0));
    result.put(Operation.RANGE_SCAN, weight("scan", 0));
    result.put(Operation.READ_MODIFY_WRITE, weight("readmodifywrite", 0));
    result.values().removeIf(weight -> weight == 0);
    if (result.isEmpty()) {
      place("").report("every proportion is 0");
    }
    return result;
  }

  /** Returns a weight in thousandths, which is finer than in any of YCSB's workloads. */
  private int weight(String operation, double defaultShare) {
    return (int) Math.round(number(operation + "proportion", defaultShare) * 1_000);
  }

  private KeyChoice keys() {
    Optional<Distribution> stated =
        value("requestdistribution").choice("request distribution", Distribution.class);
    KeyChoice defaults = KeyChoice.of(stated.orElse(Distribution.UNIFORM));
    return defaults.distribution() == Distribution.HOTSPOT
        ? new KeyChoice(
            Distribution.HOTSPOT,
            defaults.exponent(),
            number("hotspotdatafraction", defaults.hotKeys()),
            number("hotspotopnfraction", defaults.hotOperations()))
        : defaults;
  }

  private ValueShape values() {
    only("fieldlengthdistribution", "constant");
    long bytes = integer("fieldcount", 10) * integer("fieldlength", 100);
    if (bytes > Setting.VALUE_BYTES.most()) {
      place("fieldlength").report("'" + bytes + "' bytes in all fields are too many");
      return ValueShape.DEFAULT;
    }
    return ValueShape.fixed((int) bytes);
  }

  private int scanRecords() {
    only("scanlengthdistribution", "uniform");
    return (int) ((integer("minscanlength", 1) + integer("maxscanlength", 1_000)) / 2);
  }

  private void only(String key, String supported) {
    value(key).choice(key, Map.of(supported, supported));
  }

  private long integer(String key, long defaultValue) {
    return value(key).integer(1, 1_000_000).orElse(defaultValue);
  }

  private double number(String key, double defaultValue) {
    return value(key).number("from 0 to 1", x -> x >= 0 && x <= 1).orElse(defaultValue);
  }

  private YamlValue value(String key) {
    String value = properties.getProperty(key);
    return new YamlValue(value == null ? null : YamlValue.scalar(value.strip()), place(key));
  }

  private SourceLocation place(String key) {
    int line = 0;
    while (line < lines.size() && !lines.get(line).strip().matches(key + "\\s*[=:\\s].*")) {
      line++;
    }
    boolean found = line < lines.size() && !key.isEmpty();
    return new SourceLocation(reading, file, lines, found ? line + 1 : 0, found ? 1 : 0, key);
  }
}
