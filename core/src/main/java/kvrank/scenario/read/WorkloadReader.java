package kvrank.scenario.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.input.YamlValue;
import kvrank.scenario.Setting;
import kvrank.workload.OperationMix;
import kvrank.workload.TransactionPart;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/** Reads a workload: a file, or a map inside a scenario. */
final class WorkloadReader {

  private static final int MOST_WEIGHT = 1_000_000_000;

  /** The order of hashed keys. */
  static final String HASHED = "hashed";

  private static final String NOT_FOR_TRANSACTIONS =
      "cannot be combined with 'transaction'; remove one of them";

  private static final String BY_POPULARITY = "by-popularity";
  private static final String FILL = Operation.FILL.label();

  private WorkloadReader() {}

  /** Reads a workload; {@code fileName} is its name unless it states another. */
  static Optional<Workload> read(YamlValue value, String fileName) {
    return value.ifMap(map -> workload(map, fileName));
  }

  private static Workload workload(YamlValue map, String fileName) {
    YamlValue units = map.get(TransactionReader.TRANSACTION);
    List<TransactionPart> transaction = TransactionReader.read(units);
    if (units.isPresent() && map.has("operations")) {
      units.report("cannot be combined with 'operations', which it replaces; keep one");
    }
    YamlValue weights = units.isPresent() ? map.get("operations") : map.required("operations");
    SortedMap<Operation, Integer> operations =
        units.isPresent()
            ? OperationMix.weights(transaction)
            : operations(weights.keys("operation"));
    YamlValue keys = map.get("keys").meant("{bytes: %s}"::formatted);
    YamlValue scan = map.get("scan").meant("{records: %s}"::formatted);
    YamlValue reverse = scan.get("reverse");
    boolean ranges = operations.containsKey(Operation.RANGE_SCAN);
    boolean prefixes = operations.containsKey(Operation.PREFIX_SCAN);
    if (scan.isPresent() && !operations.isEmpty() && !ranges) {
      boolean known = prefixes && scan.has("reverse");
      YamlValue wrong = known ? scan.get("records") : scan;
      if (wrong.isPresent()) {
        wrong.report("applies to range-scan, which is not among the operations");
      }
    }
    YamlValue scanRecords = reverse.isPresent() ? scan.get("records") : scan.required("records");
    YamlValue drain = map.get("drain");
    boolean drains = drain.flag().orElse(false);
    if (drains && !operations.isEmpty() && !operations.containsKey(Operation.DELETE)) {
      drain.report("applies to delete, which is not among the operations");
    } else if (drains && units.isPresent()) {
      drain.report(NOT_FOR_TRANSACTIONS);
    }
    boolean fills = fills(map.get("misses"), operations);
    if (fills && units.isPresent()) {
      map.get("misses").report(NOT_FOR_TRANSACTIONS);
    }
    KeyChoice choice = keyChoice(keys);
    return new Workload(
        map.get("name").name().orElse(fileName),
        map.required("description").sentence().orElse(""),
        new OperationMix(
            operations,
            choice,
            scanned(scanRecords),
            drains,
            fills,
            reverse.flag().orElse(false),
            transaction),
        keyShape(keys),
        Optional.of(map.get("values").meant("{bytes: %s}"::formatted))
            .filter(YamlValue::isPresent)
            .map(values -> values(values, choice.distribution())),
        ttl(map.get("ttl")),
        Optional.empty(),
        Optional.empty(),
        notes(map));
  }

  /** Returns the lines on the origin of a workload or a class. */
  static List<String> notes(YamlValue map) {
    return YamlValue.readAll(map.get("notes").items(), YamlValue::sentence);
  }

  private static ValueSizes scanned(YamlValue value) {
    if (!value.isMap()) {
      Optional<Long> records = value.integer(1, OperationMix.MOST_SCANNED);
      return ValueSizes.fixed(
          records.map(Long::intValue).orElse(OperationMix.DEFAULT_SCAN_RECORDS));
    }
    YamlValue most = value.required("max");
    long min = value.required("min").integer(1, OperationMix.MOST_SCANNED).orElse(1L);
    long max = most.integer(1, OperationMix.MOST_SCANNED).orElse(min);
    if (max < min) {
      most.report("'%d' is less than min, '%d'", max, min);
    }
    return ValueSizes.between(
        (int) min, (int) Math.max(min, max), spread(value, "distribution of scans"));
  }

  private static ValueSizes.Spread spread(YamlValue map, String noun) {
    return map.get("distribution")
        .choice(noun, ValueSizes.Spread.class)
        .orElse(ValueSizes.Spread.UNIFORM);
  }

  private static SortedMap<Operation, Integer> operations(YamlValue value) {
    SortedMap<Operation, Integer> result = new TreeMap<>();
    for (Operation operation : TransactionReader.ASKED) {
      value
          .get(operation.label())
          .integer(1, MOST_WEIGHT)
          .ifPresent(weight -> result.put(operation, weight.intValue()));
    }
    if (value.isMap() && value.names().isEmpty()) {
      value.report("needs at least one operation and its weight, such as read: 1");
    }
    return result;
  }

  /** Returns whether a write follows each read that misses. */
  static boolean fills(YamlValue misses) {
    return misses.choice("answer to misses", Map.of(FILL, true, "none", false)).orElse(false);
  }

  private static boolean fills(YamlValue misses, SortedMap<Operation, Integer> operations) {
    boolean fills = fills(misses);
    if (fills && !operations.isEmpty() && !operations.containsKey(Operation.READ)) {
      misses.report("applies to read, which is not among the operations");
    } else if (fills && operations.containsKey(Operation.DELETE)) {
      misses.report("'fill' would restore deleted records; remove 'delete' or 'misses'");
    }
    return fills;
  }

  private static KeyChoice keyChoice(YamlValue map) {
    YamlValue stated = map.get("distribution");
    Optional<Distribution> known = stated.choice("distribution", Distribution.class);
    // Null for an unknown distribution, whose parameters are not checked.
    Distribution distribution = stated.isPresent() ? known.orElse(null) : Distribution.UNIFORM;
    KeyChoice defaults = KeyChoice.of(known.orElse(Distribution.UNIFORM));
    Optional<Double> exponent =
        parameter(map, "exponent", distribution, Distribution.LATEST, Distribution.ZIPFIAN)
            .number("greater than 0 and at most 10", x -> x > 0 && x <= 10);
    return new KeyChoice(
        defaults.distribution(),
        exponent.orElse(defaults.exponent()),
        share(map, "hot-keys", distribution, Distribution.EXPONENTIAL).orElse(defaults.hotKeys()),
        share(map, "hot-operations", distribution, Distribution.HOTSPOT)
            .orElse(defaults.hotOperations()));
  }

  /** Returns a share of keys or operations, which may be all of them only with {@code all}. */
  private static Optional<Double> share(
      YamlValue map, String key, Distribution distribution, Distribution all) {
    YamlValue value =
        parameter(map, key, distribution, Distribution.HOTSPOT, Distribution.EXPONENTIAL);
    if (distribution != all) {
      return value.number("greater than 0 and less than 1", x -> x > 0 && x < 1);
    }
    return all == Distribution.HOTSPOT
        ? value.number("from 0 to 1", x -> x >= 0 && x <= 1)
        : value.number("greater than 0 and at most 1", x -> x > 0 && x <= 1);
  }

  /** Returns a parameter; absent, with a problem, if it does not apply to {@code distribution}. */
  private static YamlValue parameter(
      YamlValue map, String key, Distribution distribution, Distribution... valid) {
    YamlValue value = map.get(key);
    if (!value.isPresent() || distribution == null || List.of(valid).contains(distribution)) {
      return value;
    }
    String labels =
        Arrays.stream(valid).map(Distribution::label).collect(Collectors.joining(" and "));
    value.report("applies to %s, not to '%s'", labels, distribution.label());
    return value.absent();
  }

  private static Optional<KeyShape> keyShape(YamlValue map) {
    Optional<Integer> bytes = Setting.KEY_BYTES.bytes(map.get("bytes"));
    Optional<Long> perPrefix = map.get("prefix-records").integer(1, Setting.PREFIX_RECORDS.most());
    YamlValue order = map.get("order");
    KeyShape defaults = KeyShape.DEFAULT;
    if (order.choice("order of keys", Map.of("ordered", false, HASHED, true)).orElse(false)) {
      if (perPrefix.isPresent()) {
        map.get("prefix-records").report("applies to ordered keys, not to hashed ones");
      }
      return Optional.of(KeyShape.hashed(bytes.orElse(defaults.bytes())));
    }
    return Optional.of(
            new KeyShape(bytes.orElse(defaults.bytes()), perPrefix.orElse(defaults.perPrefix())))
        .filter(shape -> bytes.isPresent() || perPrefix.isPresent() || order.isPresent());
  }

  private static ValueShape values(YamlValue map, Distribution distribution) {
    ValueShape defaults = ValueShape.DEFAULT;
    ValueShape.Kind kind =
        map.get("kind").choice("kind", ValueShape.Kind.class).orElse(defaults.kind());
    YamlValue bytes = map.get("bytes");
    boolean parts = bytes.isMap() && bytes.get(BY_POPULARITY).isPresent();
    ValueSizes sizes =
        (parts ? byPopularity(bytes, distribution) : sizes(bytes)).orElse(defaults.sizes());
    YamlValue compressibility = map.get("compressibility");
    if (kind == ValueShape.Kind.JSON && compressibility.isPresent()) {
      compressibility.report("applies to kind random, not to JSON");
      compressibility = compressibility.absent();
    }
    return new ValueShape(
        kind,
        sizes,
        compressibility
            .number("at least 0 and less than 1", x -> x >= 0 && x < 1)
            .orElse(defaults.compressibility()));
  }

  private static Optional<Ttl> ttl(YamlValue map) {
    map.meant(text -> "{share: 1, seconds: %d}".formatted(seconds(text)));
    Optional<Double> share =
        map.required("share").number("greater than 0 and at most 1", x -> x > 0 && x <= 1);
    Optional<Long> seconds = map.required("seconds").integer(1, Ttl.MOST_SECONDS);
    return share.flatMap(part -> seconds.map(time -> new Ttl(part, time.intValue())));
  }

  /** Returns the seconds that {@code text} may mean, or an example. */
  private static long seconds(String text) {
    return text.matches("[1-9][0-9]{0,8}")
        ? Long.parseLong(text)
        : DurationFormat.parse(text).map(Duration::toSeconds).filter(s -> s > 0).orElse(1800L);
  }

  private static Optional<ValueSizes> sizes(YamlValue value) {
    if (!value.isMap()) {
      return Setting.VALUE_BYTES.bytes(value).map(ValueSizes::fixed);
    }
    YamlValue stated = value.get("fields");
    int fields = stated.integer(1, ValueSizes.MOST_FIELDS).orElse(1L).intValue();
    Optional<ValueSizes> sizes = ofOneField(value);
    if (sizes.isPresent() && (long) fields * sizes.get().max() > Setting.VALUE_BYTES.most()) {
      return stated.report(
          "'%d' lengths of up to %d bytes are more than the %d MiB of a value",
          fields, sizes.get().max(), Setting.VALUE_BYTES.most() >> 20);
    }
    return sizes.map(one -> one.times(fields));
  }

  private static Optional<ValueSizes> ofOneField(YamlValue value) {
    YamlValue histogram = value.get("histogram");
    if (histogram.isPresent()) {
      for (String other : List.of("min", "max", "distribution")) {
        YamlValue bin = value.get(other);
        if (bin.isPresent()) {
          bin.report("cannot be combined with 'histogram', whose bins have the sizes");
        }
      }
      return histogram(histogram);
    }
    ValueSizes.Bin range = range(value.required("min"), value.required("max"), 1);
    return Optional.of(
        ValueSizes.between(range.min(), range.max(), spread(value, "distribution of sizes")));
  }

  private static Optional<ValueSizes> byPopularity(YamlValue map, Distribution distribution) {
    for (String other : List.of("min", "max", "distribution", "histogram", "fields")) {
      YamlValue stated = map.get(other);
      if (stated.isPresent()) {
        stated.report("cannot be combined with '%s', whose parts have the sizes", BY_POPULARITY);
      }
    }
    YamlValue list = map.get(BY_POPULARITY);
    List<ValueSizes.Part> parts = new ArrayList<>();
    for (YamlValue item : list.items("needs at least one part, such as {keys: 1, bytes: 100}")) {
      if (item.expectMap()) {
        Optional<Double> share =
            item.required("keys").number("greater than 0 and at most 1", x -> x > 0 && x <= 1);
        Optional<ValueSizes> sizes = sizes(item.required("bytes"));
        share.ifPresent(
            keys -> parts.add(new ValueSizes.Part(keys, sizes.orElse(ValueSizes.fixed(1)))));
      }
    }
    double all = parts.stream().mapToDouble(ValueSizes.Part::records).sum();
    if (!parts.isEmpty() && Math.abs(all - 1) > 1e-6) {
      list.report(
          "has shares of 'keys' that add up to '%s'; they must add up to 1",
          Math.round(1e6 * all) / 1e6);
    }
    boolean newest = Set.of(Distribution.LATEST, Distribution.EXPONENTIAL).contains(distribution);
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(new ValueSizes(ValueSizes.Spread.UNIFORM, List.of(), parts, newest));
  }

  private static Optional<ValueSizes> histogram(YamlValue list) {
    List<ValueSizes.Bin> bins = new ArrayList<>();
    for (YamlValue item : list.items("needs at least one bin, such as {bytes: 100, weight: 1}")) {
      if (item.expectMap()) {
        YamlValue bytes = item.get("bytes");
        YamlValue min = bytes.isPresent() ? bytes : item.required("min");
        YamlValue max = bytes.isPresent() ? bytes : item.required("max");
        if (bytes.isPresent() && (item.has("min") || item.has("max"))) {
          item.get(item.has("min") ? "min" : "max").report("cannot be combined with 'bytes'");
        }
        int weight = item.required("weight").integer(1, 1_000_000).orElse(1L).intValue();
        ValueSizes.Bin bin = range(min, max, weight);
        int previous = bins.isEmpty() ? 0 : bins.get(bins.size() - 1).max();
        if (bin.min() <= previous && min.isPresent()) {
          min.report(
              "'%d' is not greater than the maximum of the previous bin, '%d'",
              bin.min(), previous);
        }
        bins.add(bin);
      }
    }
    return bins.isEmpty()
        ? Optional.empty()
        : Optional.of(new ValueSizes(ValueSizes.Spread.UNIFORM, bins));
  }

  private static ValueSizes.Bin range(YamlValue least, YamlValue most, int weight) {
    int min = Setting.VALUE_BYTES.bytes(least).orElse(1);
    int max = Setting.VALUE_BYTES.bytes(most).orElse(min);
    if (max < min) {
      most.report("'%d' is less than min, '%d'", max, min);
    }
    return new ValueSizes.Bin(min, Math.max(min, max), weight);
  }
}
