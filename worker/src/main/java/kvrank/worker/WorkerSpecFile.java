package kvrank.worker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.workload.ClientSettings;
import kvrank.workload.Dataset;
import kvrank.workload.Distribution;
import kvrank.workload.HostedWorkload;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.OperationMix;
import kvrank.workload.Replay;
import kvrank.workload.Ttl;
import kvrank.workload.ValueShape;
import kvrank.workload.ValueSizes;

/** A {@link WorkerSpec} as a file: Java properties, one per line, sorted. */
final class WorkerSpecFile {

  private static final String PROPERTY = "property.";
  private static final String PHASES = "phases";
  private static final String TRACE = "trace.";
  private static final String BINS = "value.bins";

  private final String name;
  private final Properties entries = new Properties();

  private WorkerSpecFile(String name) {
    this.name = name;
  }

  static String text(WorkerSpec spec) {
    WorkerSpecFile file = new WorkerSpecFile("");
    file.put(spec);
    return file.text();
  }

  /** Reads {@code text}, which messages call {@code name}. */
  static WorkerSpec read(String name, Reader text) throws IOException {
    WorkerSpecFile file = new WorkerSpecFile(name);
    file.entries.load(text);
    return file.spec();
  }

  private void put(WorkerSpec spec) {
    put("binding", spec.binding());
    spec.properties().forEach((name, value) -> put(PROPERTY + name, value));
    put("seed", spec.seed());
    put("records", spec.dataset().records());
    put("key.bytes", spec.dataset().keys().bytes());
    put("key.per-prefix", spec.dataset().keys().perPrefix());
    put("key.prefix", spec.dataset().keys().prefix());
    ValueShape values = spec.dataset().values();
    put("value.kind", label(values.kind()));
    put("value.spread", label(values.sizes().spread()));
    put(BINS, values.sizes().bins().size());
    for (int i = 0; i < values.sizes().bins().size(); i++) {
      ValueSizes.Bin bin = values.sizes().bins().get(i);
      put(BINS + "." + i, bin.min() + " " + bin.max() + " " + bin.weight());
    }
    put("value.compressibility", values.compressibility());
    put("value.ttl.share", values.ttl().share());
    put("value.ttl.seconds", values.ttl().seconds());
    put("evicts", spec.dataset().evicts());
    spec.dataset().trace().ifPresent(this::put);
    put("verify", spec.verify());
    put("output", spec.output());
    put(PHASES, spec.phases().size());
    for (int i = 0; i < spec.phases().size(); i++) {
      put(prefix(i), spec.phases().get(i));
    }
  }

  private void put(Replay trace) {
    put(TRACE + "file", trace.file());
    put(TRACE + "digest", trace.digest());
    put(TRACE + "speed", trace.speed());
    put(TRACE + "one-in", trace.oneIn());
    put(TRACE + "copies", trace.copies());
    put(TRACE + "loaded", trace.loaded());
    put(TRACE + "requests", trace.requests());
    put(TRACE + "expires", trace.expires());
  }

  private void put(String prefix, WorkerPhase phase) {
    put(prefix + "name", phase.name());
    put(prefix + "kind", label(phase.kind()));
    OperationMix mix = phase.mix();
    mix.weights()
        .forEach((operation, weight) -> put(prefix + "weight." + operation.label(), weight));
    put(prefix + "keys.distribution", mix.keys().distribution().label());
    put(prefix + "keys.exponent", mix.keys().exponent());
    put(prefix + "keys.hot-keys", mix.keys().hotKeys());
    put(prefix + "keys.hot-operations", mix.keys().hotOperations());
    put(prefix + "scan-records", mix.scanRecords());
    put(prefix + "drain", mix.drain());
    put(prefix + "fill", mix.fill());
    phase.settings().texts().forEach((label, text) -> put(prefix + label, text));
    phase.hosted().ifPresent(hosted -> put(prefix + "hosted.", hosted));
  }

  private void put(String prefix, HostedWorkload hosted) {
    put(prefix + "class", hosted.className());
    hosted.properties().forEach((name, value) -> put(prefix + PROPERTY + name, value));
    for (int i = 0; i < hosted.classpath().size(); i++) {
      put(prefix + String.format(Locale.ROOT, "classpath.%03d", i), hosted.classpath().get(i));
    }
  }

  private void put(String key, Object value) {
    entries.setProperty(key, value.toString());
  }

  /** The entries as {@link Properties} escapes them, which is in ASCII, without its date. */
  private String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      entries.store(out, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.US_ASCII)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .sorted()
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private WorkerSpec spec() {
    ValueShape values =
        new ValueShape(
            ValueShape.Kind.valueOf(constant("value.kind")),
            new ValueSizes(
                ValueSizes.Spread.valueOf(constant("value.spread")),
                IntStream.range(0, Integer.parseInt(value(BINS)))
                    .mapToObj(i -> bin(value(BINS + "." + i).split(" ")))
                    .toList()),
            Double.parseDouble(value("value.compressibility")),
            new Ttl(
                Double.parseDouble(value("value.ttl.share")),
                Integer.parseInt(value("value.ttl.seconds"))));
    List<WorkerPhase> phases = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(value(PHASES)); i++) {
      phases.add(phase(prefix(i)));
    }
    long records = Long.parseLong(value("records"));
    return new WorkerSpec(
        value("binding"),
        startingWith(PROPERTY),
        Long.parseLong(value("seed")),
        new Dataset(
            records,
            new KeyShape(
                Integer.parseInt(value("key.bytes")),
                Long.parseLong(value("key.per-prefix")),
                entries.getProperty("key.prefix", "")),
            values,
            Boolean.parseBoolean(value("evicts")),
            trace(records)),
        Boolean.parseBoolean(value("verify")),
        Path.of(value("output")),
        phases);
  }

  private Optional<Replay> trace(long records) {
    return entries.getProperty(TRACE + "file") == null
        ? Optional.empty()
        : Optional.of(
            new Replay(
                Path.of(value(TRACE + "file")),
                value(TRACE + "digest"),
                Double.parseDouble(value(TRACE + "speed")),
                Integer.parseInt(value(TRACE + "one-in")),
                Integer.parseInt(value(TRACE + "copies")),
                records,
                Long.parseLong(value(TRACE + "loaded")),
                Long.parseLong(value(TRACE + "requests")),
                Boolean.parseBoolean(value(TRACE + "expires"))));
  }

  private static ValueSizes.Bin bin(String... numbers) {
    return new ValueSizes.Bin(
        Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
  }

  private WorkerPhase phase(String prefix) {
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    startingWith(prefix + "weight.")
        .forEach(
            (label, weight) ->
                weights.put(Operation.of(label).orElseThrow(), Integer.parseInt(weight)));
    KeyChoice keys =
        new KeyChoice(
            Distribution.of(value(prefix + "keys.distribution")).orElseThrow(),
            Double.parseDouble(value(prefix + "keys.exponent")),
            Double.parseDouble(value(prefix + "keys.hot-keys")),
            Double.parseDouble(value(prefix + "keys.hot-operations")));
    return new WorkerPhase(
        value(prefix + "name"),
        WorkerPhase.Kind.valueOf(constant(prefix + "kind")),
        new OperationMix(
            weights,
            keys,
            Integer.parseInt(value(prefix + "scan-records")),
            Boolean.parseBoolean(value(prefix + "drain")),
            Boolean.parseBoolean(value(prefix + "fill"))),
        ClientSettings.of(label -> value(prefix + label)),
        hosted(prefix + "hosted."));
  }

  private Optional<HostedWorkload> hosted(String prefix) {
    return Optional.ofNullable(entries.getProperty(prefix + "class"))
        .map(
            className ->
                new HostedWorkload(
                    className,
                    startingWith(prefix + PROPERTY),
                    startingWith(prefix + "classpath.").values().stream().map(Path::of).toList()));
  }

  private static String prefix(int phase) {
    return String.format(Locale.ROOT, "phase.%03d.", phase);
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private String constant(String key) {
    return value(key).toUpperCase(Locale.ROOT);
  }

  private String value(String key) {
    String value = entries.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException(name + ": '" + key + "' is missing");
    }
    return value;
  }

  private SortedMap<String, String> startingWith(String prefix) {
    SortedMap<String, String> found = new TreeMap<>();
    for (String key : entries.stringPropertyNames()) {
      if (key.startsWith(prefix)) {
        found.put(key.substring(prefix.length()), entries.getProperty(key));
      }
    }
    return found;
  }
}
