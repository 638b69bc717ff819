package kvrank.scenario;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.OperationMix;
import kvrank.workload.ValueShape;
import kvrank.workload.Workload;

/** Reads a workload: a file of its own, or a map inside a scenario. */
final class WorkloadReader {

  static final int DEFAULT_SCAN_RECORDS = 100;

  static final Map<String, Distribution> DISTRIBUTIONS =
      labels(Distribution.values(), Distribution::label);
  private static final Map<String, ValueShape.Kind> KINDS = labels(ValueShape.Kind.values());
  private static final Map<String, ValueShape.Sizes> SIZES = labels(ValueShape.Sizes.values());

  private final String fileName;

  /**
   * @param fileName the workload's name where it does not state one
   */
  WorkloadReader(String fileName) {
    this.fileName = fileName;
  }

  Optional<Workload> read(YamlValue root) {
    return root.section(this::workload);
  }

  private Workload workload(YamlMap section) {
    Optional<YamlValue> operationsElement = section.required("operations");
    SortedMap<Operation, Integer> operations =
        operationsElement.map(WorkloadReader::operations).orElseGet(TreeMap::new);
    Optional<Keys> keys = section.optional("keys").flatMap(e -> e.section(WorkloadReader::keys));
    return new Workload(
        section.optional("name").flatMap(YamlValue::name).orElse(fileName),
        section.required("description").flatMap(YamlValue::sentence).orElse(""),
        new OperationMix(
            operations,
            keys.map(Keys::choice).orElse(KeyChoice.of(Distribution.UNIFORM)),
            section
                .optional("scan")
                .flatMap(scan -> scanRecords(scan, operations))
                .orElse(DEFAULT_SCAN_RECORDS),
            section.optional("drain").flatMap(drain -> drain(drain, operations)).orElse(false)),
        keys.flatMap(Keys::shape),
        section.optional("values").flatMap(e -> e.section(WorkloadReader::values)),
        Optional.empty());
  }

  private static SortedMap<Operation, Integer> operations(YamlValue element) {
    SortedMap<Operation, Integer> result = new TreeMap<>();
    element.section(
        "operation",
        section -> {
          for (Operation operation : Operation.values()) {
            section
                .optional(operation.label())
                .flatMap(weight -> weight.integer(1, 1_000_000))
                .ifPresent(weight -> result.put(operation, weight.intValue()));
          }
          if (section.size() == 0) {
            element.report("needs at least one operation and its weight, such as read: 1");
          }
          return result;
        });
    return result;
  }

  private record Keys(KeyChoice choice, Optional<KeyShape> shape) {}

  private static Keys keys(YamlMap section) {
    Optional<YamlValue> stated = section.optional("distribution");
    Optional<Distribution> known =
        stated.isPresent()
            ? stated.flatMap(element -> element.choice("distribution", DISTRIBUTIONS))
            : Optional.of(Distribution.UNIFORM);
    Set<Distribution> skewed = Set.of(Distribution.ZIPFIAN, Distribution.LATEST);
    Set<Distribution> hotspot = Set.of(Distribution.HOTSPOT);
    KeyChoice standard = KeyChoice.of(known.orElse(Distribution.UNIFORM));
    KeyChoice choice =
        new KeyChoice(
            standard.distribution(),
            section
                .optional("exponent")
                .filter(element -> applies(element, known, skewed))
                .flatMap(e -> e.number("greater than 0 and at most 10", x -> x > 0 && x <= 10))
                .orElse(standard.exponent()),
            share(section, "hot-keys", known, hotspot).orElse(standard.hotKeys()),
            share(section, "hot-operations", known, hotspot).orElse(standard.hotOperations()));
    Optional<Integer> bytes =
        section.optional("bytes").flatMap(e -> e.bytes(Setting.KEY_BYTES.most()));
    Optional<Long> perPrefix =
        section
            .optional("prefix-records", "per-prefix")
            .flatMap(e -> e.integer(1, Setting.PREFIX_RECORDS.most()));
    if (bytes.isEmpty() && perPrefix.isEmpty()) {
      return new Keys(choice, Optional.empty());
    }
    return new Keys(
        choice,
        Optional.of(
            new KeyShape(
                bytes.orElse(KeyShape.DEFAULT.bytes()),
                perPrefix.orElse(KeyShape.DEFAULT.perPrefix()))));
  }

  private static Optional<Double> share(
      YamlMap section, String key, Optional<Distribution> distribution, Set<Distribution> of) {
    return section
        .optional(key)
        .filter(element -> applies(element, distribution, of))
        .flatMap(element -> element.number("between 0 and 1", x -> x > 0 && x < 1));
  }

  /** Returns whether a parameter belongs to the distribution; it may if that is unknown. */
  private static boolean applies(
      YamlValue parameter, Optional<Distribution> distribution, Set<Distribution> of) {
    if (distribution.isEmpty() || of.contains(distribution.get())) {
      return true;
    }
    parameter.report(
        "applies to %s, not to '%s'"
            .formatted(
                of.stream().map(Distribution::label).sorted().collect(Collectors.joining(" and ")),
                distribution.get().label()));
    return false;
  }

  private static ValueShape values(YamlMap section) {
    ValueShape standard = ValueShape.DEFAULT;
    ValueShape.Kind kind =
        section.optional("kind").flatMap(e -> e.choice("kind", KINDS)).orElse(standard.kind());
    ValueShape size = section.optional("bytes").flatMap(WorkloadReader::size).orElse(standard);
    Optional<YamlValue> compressibility = section.optional("compressibility");
    if (kind == ValueShape.Kind.JSON && compressibility.isPresent()) {
      compressibility.get().report("applies to kind random; a JSON document is what it is");
    }
    return new ValueShape(
        kind,
        size.minBytes(),
        size.maxBytes(),
        size.sizes(),
        compressibility
            .filter(element -> kind != ValueShape.Kind.JSON)
            .flatMap(e -> e.number("at least 0 and less than 1", x -> x >= 0 && x < 1))
            .orElse(standard.compressibility()));
  }

  /** Returns a shape of which only the sizes count. */
  private static Optional<ValueShape> size(YamlValue element) {
    if (!element.isMap()) {
      return element.bytes(Setting.VALUE_BYTES.most()).map(ValueShape::fixed);
    }
    return element.section(
        section -> {
          ValueShape standard = ValueShape.DEFAULT;
          Optional<YamlValue> most = section.required("max");
          int min = bytes(section.required("min")).orElse(standard.minBytes());
          int max = bytes(most).orElse(Math.max(min, standard.maxBytes()));
          if (max < min) {
            most.orElseThrow().report("'%d' is less than min, '%d'".formatted(max, min));
          }
          ValueShape.Sizes sizes =
              section
                  .optional("distribution")
                  .flatMap(e -> e.choice("distribution of sizes", SIZES))
                  .orElse(standard.sizes());
          return min == max
              ? ValueShape.fixed(min)
              : new ValueShape(standard.kind(), min, max, sizes, standard.compressibility());
        });
  }

  private static Optional<Integer> bytes(Optional<YamlValue> element) {
    return element.flatMap(e -> e.bytes(Setting.VALUE_BYTES.most()));
  }

  private static Optional<Integer> scanRecords(
      YamlValue scan, SortedMap<Operation, Integer> operations) {
    if (!operations.isEmpty() && !operations.containsKey(Operation.RANGE_SCAN)) {
      scan.report("applies to range-scan, which is not among the operations");
    }
    return scan.section(
            section -> section.required("records").flatMap(e -> e.integer(1, 1_000_000)))
        .flatMap(records -> records.map(Long::intValue));
  }

  private static Optional<Boolean> drain(
      YamlValue drain, SortedMap<Operation, Integer> operations) {
    Optional<Boolean> flag = drain.flag();
    if (flag.orElse(false) && !operations.isEmpty() && !operations.containsKey(Operation.DELETE)) {
      drain.report("applies to delete, which is not among the operations");
    }
    return flag;
  }

  private static <E extends Enum<E>> Map<String, E> labels(E[] values) {
    return labels(values, value -> value.name().toLowerCase(Locale.ROOT));
  }

  private static <E> Map<String, E> labels(E[] values, Function<E, String> label) {
    return Arrays.stream(values).collect(Collectors.toUnmodifiableMap(label, value -> value));
  }
}
