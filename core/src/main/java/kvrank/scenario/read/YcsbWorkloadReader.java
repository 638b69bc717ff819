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
 * Reads a property file of YCSB. {@code CoreWorkload} becomes a workload of kvrank's own, with the
 * defaults of YCSB 0.17: what the scenario says instead (counts, threads, target) and what does not
 * exist here (tables, fields) is ignored. Any other class is hosted.
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

  /** Reads the file; if it names a class of its own, that is on {@code classpath}. */
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

  /** Returns a workload that only its class knows: all properties are for that. */
  private Optional<Workload> hosted(String type, List<Path> classpath) {
    SortedMap<String, String> own = new TreeMap<>();
    properties.forEach((name, value) -> own.put(name.toString(), value.toString().strip()));
    HostedWorkload hosted = new HostedWorkload(type, own, classpath);
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

  /** In thousandths, which is finer than any workload that YCSB ships. */
  private int weight(String operation, double standard) {
    return (int) Math.round(number(operation + "proportion", standard) * 1_000);
  }

  private KeyChoice keys() {
    Optional<Distribution> stated =
        value("requestdistribution").choice("request distribution", Distribution.class);
    KeyChoice standard = KeyChoice.of(stated.orElse(Distribution.UNIFORM));
    return standard.distribution() == Distribution.HOTSPOT
        ? new KeyChoice(
            Distribution.HOTSPOT,
            standard.exponent(),
            number("hotspotdatafraction", standard.hotKeys()),
            number("hotspotopnfraction", standard.hotOperations()))
        : standard;
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

  private long integer(String key, long standard) {
    return value(key).integer(1, 1_000_000).orElse(standard);
  }

  private double number(String key, double standard) {
    return value(key).number("from 0 to 1", x -> x >= 0 && x <= 1).orElse(standard);
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
