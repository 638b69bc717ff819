package kvrank.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.workload.Distribution;
import kvrank.workload.HostedWorkload;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.OperationMix;
import kvrank.workload.ValueShape;
import kvrank.workload.Workload;

/** Reads a workload: a file of its own, or a map inside a scenario. */
final class WorkloadReader {

  static final int DEFAULT_SCAN_RECORDS = 100;

  private WorkloadReader() {}

  /**
   * Reads a workload.
   *
   * @param fileName its name where it does not state one
   */
  static Optional<Workload> read(YamlValue map, String fileName) {
    if (!map.expectMap()) {
      return Optional.empty();
    }
    SortedMap<Operation, Integer> operations =
        operations(map.required("operations").keys("operation"));
    YamlValue keys = map.get("keys");
    YamlValue scan = map.get("scan");
    if (scan.isPresent()
        && !operations.isEmpty()
        && !operations.containsKey(Operation.RANGE_SCAN)) {
      scan.report("applies to range-scan, which is not among the operations");
    }
    YamlValue drain = map.get("drain");
    boolean drains = drain.flag().orElse(false);
    if (drains && !operations.isEmpty() && !operations.containsKey(Operation.DELETE)) {
      drain.report("applies to delete, which is not among the operations");
    }
    Optional<Long> records = scan.required("records").integer(1, 1_000_000);
    return Optional.of(
        new Workload(
            map.get("name").name().orElse(fileName),
            map.required("description").sentence().orElse(""),
            new OperationMix(
                operations,
                keyChoice(keys),
                records.map(Long::intValue).orElse(DEFAULT_SCAN_RECORDS),
                drains),
            keyShape(keys),
            Optional.of(map.get("values")).filter(YamlValue::isPresent).map(WorkloadReader::values),
            Optional.empty()));
  }

  /** Returns the workload {@code name} that is a class for YCSB. */
  static Workload hosted(String name, HostedWorkload hosted) {
    return Workload.hosted(name, "YCSB's workload class " + hosted.className() + ".", hosted);
  }

  private static SortedMap<Operation, Integer> operations(YamlValue value) {
    SortedMap<Operation, Integer> result = new TreeMap<>();
    for (Operation operation : Operation.values()) {
      value
          .get(operation.label())
          .integer(1, 1_000_000)
          .ifPresent(weight -> result.put(operation, weight.intValue()));
    }
    if (value.isMap() && value.size() == 0) {
      value.report("needs at least one operation and its weight, such as read: 1");
    }
    return result;
  }

  private static KeyChoice keyChoice(YamlValue map) {
    YamlValue stated = map.get("distribution");
    Optional<Distribution> known = stated.choice("distribution", Distribution.class);
    // What belongs to a distribution is not judged where that is unknown.
    Distribution judged = stated.isPresent() ? known.orElse(null) : Distribution.UNIFORM;
    KeyChoice standard = KeyChoice.of(known.orElse(Distribution.UNIFORM));
    Optional<Double> exponent =
        parameter(map, "exponent", judged, Distribution.LATEST, Distribution.ZIPFIAN)
            .number("greater than 0 and at most 10", x -> x > 0 && x <= 10);
    return new KeyChoice(
        standard.distribution(),
        exponent.orElse(standard.exponent()),
        share(map, "hot-keys", judged).orElse(standard.hotKeys()),
        share(map, "hot-operations", judged).orElse(standard.hotOperations()));
  }

  private static Optional<Double> share(YamlValue map, String key, Distribution stated) {
    return parameter(map, key, stated, Distribution.HOTSPOT)
        .number("between 0 and 1", x -> x > 0 && x < 1);
  }

  /**
   * Returns the parameter {@code key}, absent after a problem if {@code stated} has none.
   *
   * @param stated the distribution; null if that is unknown
   */
  private static YamlValue parameter(
      YamlValue map, String key, Distribution stated, Distribution... having) {
    YamlValue value = map.get(key);
    if (!value.isPresent() || stated == null || List.of(having).contains(stated)) {
      return value;
    }
    String labels =
        Arrays.stream(having).map(Distribution::label).collect(Collectors.joining(" and "));
    value.report("applies to %s, not to '%s'", labels, stated.label());
    return value.absent();
  }

  private static Optional<KeyShape> keyShape(YamlValue map) {
    Optional<Integer> bytes = map.get("bytes").bytes(Setting.KEY_BYTES);
    Optional<Long> perPrefix =
        map.get("prefix-records", "per-prefix").integer(1, Setting.PREFIX_RECORDS.most());
    KeyShape standard = KeyShape.DEFAULT;
    return Optional.of(
            new KeyShape(bytes.orElse(standard.bytes()), perPrefix.orElse(standard.perPrefix())))
        .filter(shape -> bytes.isPresent() || perPrefix.isPresent());
  }

  private static ValueShape values(YamlValue map) {
    ValueShape standard = ValueShape.DEFAULT;
    ValueShape.Kind kind =
        map.get("kind").choice("kind", ValueShape.Kind.class).orElse(standard.kind());
    ValueShape size = size(map.get("bytes"));
    YamlValue compressibility = map.get("compressibility");
    if (kind == ValueShape.Kind.JSON && compressibility.isPresent()) {
      compressibility.report("applies to kind random; a JSON document is what it is");
      compressibility = compressibility.absent();
    }
    return new ValueShape(
        kind,
        size.minBytes(),
        size.maxBytes(),
        size.sizes(),
        compressibility
            .number("at least 0 and less than 1", x -> x >= 0 && x < 1)
            .orElse(standard.compressibility()));
  }

  /** Returns a shape of which only the sizes count. */
  private static ValueShape size(YamlValue value) {
    ValueShape standard = ValueShape.DEFAULT;
    if (!value.isMap()) {
      return value.bytes(Setting.VALUE_BYTES).map(ValueShape::fixed).orElse(standard);
    }
    YamlValue most = value.required("max");
    int min = value.required("min").bytes(Setting.VALUE_BYTES).orElse(standard.minBytes());
    int max = most.bytes(Setting.VALUE_BYTES).orElse(Math.max(min, standard.maxBytes()));
    if (max < min) {
      most.report("'%d' is less than min, '%d'", max, min);
    }
    ValueShape.Sizes sizes =
        value
            .get("distribution")
            .choice("distribution of sizes", ValueShape.Sizes.class)
            .orElse(standard.sizes());
    return min == max
        ? ValueShape.fixed(min)
        : new ValueShape(standard.kind(), min, max, sizes, standard.compressibility());
  }
}
