package kvrank.scenario.read;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.input.InputFile;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.input.Suggestion;
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
import kvrank.workload.value.ValueSizes;

/**
 * Reads a YCSB property file as {@link YcsbProperty} states. {@code CoreWorkload} becomes a
 * workload of kvrank with the defaults of YCSB 0.17, unless the scenario asks for its class; any
 * other class is hosted.
 */
final class YcsbFileReader {

  /** A workload, and the settings that its file states among its properties. */
  record YcsbFile(
      Workload workload,
      SortedMap<Setting, Located<String>> settings,
      SortedMap<String, String> properties) {}

  /** {@code user} and the digits of a 64-bit hash. */
  private static final int HASHED_BYTES = 23;

  /** {@code user}. */
  private static final int TEXT_BYTES = 4;

  private static final int MOST_PADDING = 1_000;
  private static final int DECIMALS = 9;

  private static final Map<Operation, String> PROPORTIONS =
      new TreeMap<>(
          Map.of(
              Operation.READ, "readproportion",
              Operation.UPDATE, "updateproportion",
              Operation.INSERT, "insertproportion",
              Operation.RANGE_SCAN, "scanproportion",
              Operation.READ_MODIFY_WRITE, "readmodifywriteproportion",
              Operation.DELETE, "deleteproportion"));

  private static final Map<Operation, String> DEFAULT_PROPORTIONS =
      Map.of(Operation.READ, "0.95", Operation.UPDATE, "0.05");

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

  private static final Map<String, Distribution> DISTRIBUTIONS =
      Map.of(
          "uniform", Distribution.UNIFORM,
          "zipfian", Distribution.ZIPFIAN,
          "latest", Distribution.LATEST,
          "hotspot", Distribution.HOTSPOT,
          "exponential", Distribution.EXPONENTIAL,
          "sequential", Distribution.SEQUENTIAL);

  private static final Pattern HISTOGRAM =
      Pattern.compile("(BlockSize|\\d{1,9})\\s+(\\d{1,9})\\s*");

  private final PropertyFile file;
  private final String name;
  private final List<String> notes = new ArrayList<>();

  YcsbFileReader(PropertyFile file) {
    this.file = file;
    this.name = file.place().file().getFileName().toString();
  }

  /**
   * Reads the file.
   *
   * @param host the scenario's class for all properties, instead of the file's; may be missing
   * @param classpath for the class
   */
  Optional<YcsbFile> read(YamlValue host, List<Path> classpath) {
    YamlValue named = host.or(file.get("workload"));
    String type = YcsbClasses.current(named.isPresent() ? named.tree().toString() : "");
    boolean core =
        !host.isPresent()
            && (type.isEmpty() || type.equals("core") || type.equals(YcsbClasses.CORE));
    notes.add("from the YCSB file %s".formatted(name));
    checkNames(core, YcsbClasses.shipped(type));
    SortedMap<Setting, Located<String>> settings = settings();
    Optional<Workload> workload =
        core ? Optional.of(translated()) : hosted(named.with(type), classpath);
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
    return Optional.of(
        WorkloadReader.hosted(name, new HostedWorkload(className, properties, classpath), notes));
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
  static Optional<String> check(String key, SourceLocation place, boolean core) {
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

  private Workload translated() {
    checkPart();
    SortedMap<Operation, Integer> operations = operations();
    if (operations.containsKey(Operation.DELETE)) {
      notes.add("deleted records are inserted again, so that their number stays");
    }
    ValueSizes scans = scanRecords();
    boolean hashed =
        file.get("insertorder")
            .choice("order of inserts", Map.of("hashed", true, "ordered", false))
            .orElse(true);
    return new Workload(
        name,
        "YCSB's core workload with the properties of " + name + ".",
        new OperationMix(
            operations,
            keys(hashed),
            operations.containsKey(Operation.RANGE_SCAN)
                ? scans
                : ValueSizes.fixed(WorkloadReader.DEFAULT_SCAN_RECORDS),
            false,
            false),
        Optional.of(keyShape(hashed)),
        Optional.of(values(operations.keySet())),
        Optional.empty(),
        Optional.empty());
  }

  /** Reports properties that make this a load, or the load of only some records. */
  private void checkPart() {
    YamlValue transactions = file.get("dotransactions");
    if (transactions.flag().filter(transacts -> !transacts).isPresent()) {
      transactions.report("'false' makes it a load; the scenario's phase 'load' is one, remove it");
    }
    YamlValue start = file.get("insertstart");
    YamlValue count = file.get("insertcount");
    long first = whole(start, 0).orElse(0L);
    if (first > 0) {
      start.report("'%d' skips records; kvrank loads all, with 'machines' on several hosts", first);
    }
    Optional<Long> records = whole(file.get("recordcount"), 0).filter(all -> all > 0);
    Optional<Long> part = whole(count, 0);
    if (part.isPresent() && !part.equals(records)) {
      count.report(
          "'%d' is not recordcount; kvrank loads all records, with 'machines' on several hosts",
          part.get());
    }
  }

  private SortedMap<Operation, Integer> operations() {
    SortedMap<Operation, BigDecimal> shares = new TreeMap<>();
    PROPORTIONS.forEach(
        (operation, key) -> {
          YamlValue value = file.get(key);
          String other = DEFAULT_PROPORTIONS.getOrDefault(operation, "0");
          Optional<BigDecimal> share = share(value.or(value.with(other)));
          shares.put(operation, share.orElse(null));
        });
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    if (shares.containsValue(null)) {
      weights.put(Operation.READ, 1);
      return weights;
    }
    BigDecimal sum = shares.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    if (sum.signum() == 0) {
      place(PROPORTIONS.values()).report("every proportion is 0");
    } else if (sum.compareTo(BigDecimal.ONE) != 0) {
      reportSum(shares, sum);
    }
    shares.values().removeIf(share -> share.signum() == 0);
    if (shares.isEmpty()) {
      weights.put(Operation.READ, 1);
      return weights;
    }
    long divisor =
        shares.values().stream()
            .map(share -> share.movePointRight(DECIMALS).toBigIntegerExact())
            .reduce((a, b) -> a.gcd(b))
            .orElseThrow()
            .longValueExact();
    shares.forEach(
        (operation, share) ->
            weights.put(
                operation, (int) (share.movePointRight(DECIMALS).longValueExact() / divisor)));
    return weights;
  }

  private void reportSum(SortedMap<Operation, BigDecimal> shares, BigDecimal sum) {
    List<String> parts = new ArrayList<>();
    shares.forEach(
        (operation, share) -> {
          String key = PROPORTIONS.get(operation);
          if (share.signum() != 0) {
            String origin = file.get(key).isPresent() ? "" : " (YCSB's default)";
            parts.add(key + " " + share.toPlainString() + origin);
          }
        });
    place(PROPORTIONS.values())
        .report(
            "%s",
            "proportions add up to '"
                + sum.stripTrailingZeros().toPlainString()
                + "', not to 1: "
                + String.join(", ", parts)
                + "; YCSB would divide by the sum; state all of them, in the file or with -p");
  }

  /** Returns the place of the first of {@code keys} that is stated, else of the file. */
  private SourceLocation place(Iterable<String> keys) {
    for (String key : keys) {
      if (file.get(key).isPresent()) {
        return file.get(key).place();
      }
    }
    return file.place();
  }

  private static Optional<BigDecimal> share(YamlValue value) {
    Optional<BigDecimal> share =
        value.parsed(
            "is not a number",
            text -> {
              try {
                return Optional.of(new BigDecimal(text).stripTrailingZeros());
              } catch (NumberFormatException e) {
                return Optional.empty();
              }
            });
    if (share.filter(x -> x.signum() < 0 || x.compareTo(BigDecimal.ONE) > 0).isPresent()) {
      return value.report("'%s' is out of range; it must be from 0 to 1", value.tree());
    }
    return share.filter(x -> x.scale() > DECIMALS).isPresent()
        ? value.report("'%s' has more than %d decimals; round it", value.tree(), DECIMALS)
        : share;
  }

  private KeyChoice keys(boolean hashed) {
    Distribution distribution =
        file.get("requestdistribution")
            .choice("request distribution", DISTRIBUTIONS)
            .orElse(Distribution.UNIFORM);
    if (distribution == Distribution.ZIPFIAN) {
      notes.add(
          "'zipfian' is over the existing records, but in YCSB over 10^10 numbers hashed to them:"
              + " of 1,000 records, the hottest gets 12.9 % of the requests, and 3.8 % in YCSB");
    }
    if (distribution == Distribution.HOTSPOT && !hashed) {
      notes.add(
          "'hotspot' has hot records anywhere in the order of keys, but in YCSB, with"
              + " insertorder=ordered, the first ones");
    }
    KeyChoice defaults = KeyChoice.of(distribution);
    return switch (distribution) {
      case HOTSPOT ->
          new KeyChoice(
              distribution,
              defaults.exponent(),
              file.get("hotspotdatafraction")
                  .number(
                      "greater than 0 and less than 1, or the distribution 'uniform'",
                      x -> x > 0 && x < 1)
                  .orElse(defaults.hotKeys()),
              file.get("hotspotopnfraction")
                  .number("from 0 to 1", x -> x >= 0 && x <= 1)
                  .orElse(defaults.hotOperations()));
      case EXPONENTIAL ->
          new KeyChoice(
              distribution,
              defaults.exponent(),
              file.get("exponential.frac")
                  .number("greater than 0 and at most 1", x -> x > 0 && x <= 1)
                  .orElse(defaults.hotKeys()),
              file.get("exponential.percentile")
                  .number("greater than 0 and less than 100", x -> x > 0 && x < 100)
                  .map(percent -> BigDecimal.valueOf(percent).movePointLeft(2).doubleValue())
                  .orElse(defaults.hotOperations()));
      default -> defaults;
    };
  }

  private KeyShape keyShape(boolean hashed) {
    YamlValue padding = file.get("zeropadding");
    int digits = padding.integer(1, MOST_PADDING).orElse(1L).intValue();
    if (hashed) {
      return KeyShape.hashed(Math.max(HASHED_BYTES, TEXT_BYTES + digits));
    }
    if (digits == 1) {
      padding
          .or(file.get("insertorder"))
          .report(
              "ordered keys without padding differ in length and are not in the order of numbers;"
                  + " set the digits, for example with -p zeropadding=12");
    }
    int bytes = digits == 1 ? HASHED_BYTES : TEXT_BYTES + digits;
    return new KeyShape(bytes, KeyShape.DEFAULT.perPrefix());
  }

  private ValueShape values(Set<Operation> operations) {
    int fields =
        file.get("fieldcount").integer(1, WorkloadReader.MOST_FIELDS).orElse(10L).intValue();
    ValueSizes sizes = fieldLengths(fields);
    YamlValue readAll = file.get("readallfields");
    if (!readAll.flag().orElse(true) && fields > 1) {
      readAll.report(
          "'false' reads one of %d fields, and kvrank whole values; set readallfields=true, or"
              + " fieldcount=1, or, for a binding with fields, state 'class: %s' in the scenario",
          fields, YcsbClasses.CORE);
    }
    boolean writeAll = file.get("writeallfields").flag().orElse(false);
    if (!writeAll
        && fields > 1
        && (operations.contains(Operation.UPDATE)
            || operations.contains(Operation.READ_MODIFY_WRITE))) {
      notes.add(
          "an update writes the whole value, but in YCSB one of %d fields, as writeallfields is"
                  .formatted(fields)
              + " false");
    }
    return new ValueShape(ValueShape.Kind.RANDOM, sizes, 0);
  }

  private ValueSizes fieldLengths(int fields) {
    String kind =
        file.get("fieldlengthdistribution")
            .choice(
                "fieldlengthdistribution",
                Map.of(
                    "constant", "constant",
                    "uniform", "uniform",
                    "zipfian", "zipfian",
                    "histogram", "histogram"))
            .orElse("constant");
    YamlValue stated = file.get("fieldlength");
    long most = Setting.VALUE_BYTES.most() / fields;
    if (kind.equals("histogram")) {
      return histogram(fields);
    }
    Optional<Long> length = stated.integer(1, Setting.VALUE_BYTES.most());
    if (length.filter(bytes -> bytes > most).isPresent()) {
      stated.report(
          "'%d' bytes in each of %d fields are more than the %d MiB of a value",
          length.get(), fields, Setting.VALUE_BYTES.most() >> 20);
    }
    int max = (int) Math.min(most, length.orElse(100L));
    if (kind.equals("constant")) {
      return ValueSizes.fixed(max * fields);
    }
    YamlValue least = file.get("minfieldlength");
    int min = least.integer(1, Setting.VALUE_BYTES.most()).orElse(1L).intValue();
    if (min > max) {
      least.report("'%d' is more than fieldlength, '%d'", min, max);
    }
    return min >= max
        ? ValueSizes.fixed(max * fields)
        : ValueSizes.between(min, max, ValueSizes.Spread.valueOf(upper(kind))).times(fields);
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  /**
   * Reads a histogram as YCSB does: {@code BlockSize} and a number, then lines of an index and a
   * count; the field's length is one more than the index, times the block size.
   */
  private ValueSizes histogram(int fields) {
    YamlValue stated = file.get("fieldlengthhistogram");
    YamlValue value = stated.or(stated.with("hist.txt"));
    SortedMap<Integer, Integer> counts = new TreeMap<>();
    long block = 0;
    try {
      Path path = file.place().file().resolveSibling(value.text().orElse("hist.txt"));
      for (String line : InputFile.text(path, YamlFile.LARGEST_MEBIBYTES).lines().toList()) {
        Matcher matcher = HISTOGRAM.matcher(line);
        if (!matcher.matches()) {
          throw new IOException("a line is not a number and a count");
        }
        boolean header = matcher.group(1).equals("BlockSize");
        int number = Integer.parseInt(matcher.group(2));
        if (header == (block > 0)) {
          throw new IOException("the first line, and no other, must be BlockSize and a number");
        } else if (header) {
          block = number;
        } else if (number > 0) {
          counts.merge(Integer.valueOf(matcher.group(1)), number, Math::addExact);
        }
      }
    } catch (IOException | InvalidPathException | ArithmeticException e) {
      value.report("%s", "the histogram cannot be read: " + e.getMessage());
      return ValueSizes.fixed(1);
    }
    List<ValueSizes.Bin> bins = new ArrayList<>();
    for (Map.Entry<Integer, Integer> count : counts.entrySet()) {
      long bytes = (count.getKey() + 1L) * block;
      if (bytes > Setting.VALUE_BYTES.most() / fields || count.getValue() > 1_000_000) {
        value.report("the histogram has a length of %d bytes, or its count, too large", bytes);
        return ValueSizes.fixed(1);
      }
      bins.add(new ValueSizes.Bin((int) bytes, (int) bytes, count.getValue()));
    }
    if (bins.isEmpty()) {
      value.report("the histogram has no length with a count above 0");
      return ValueSizes.fixed(1);
    }
    return bins.size() == 1
        ? ValueSizes.fixed(bins.get(0).min() * fields)
        : new ValueSizes(ValueSizes.Spread.UNIFORM, bins).times(fields);
  }

  private ValueSizes scanRecords() {
    ValueSizes.Spread spread =
        file.get("scanlengthdistribution")
            .choice(
                "scanlengthdistribution",
                Map.of("uniform", ValueSizes.Spread.UNIFORM, "zipfian", ValueSizes.Spread.ZIPFIAN))
            .orElse(ValueSizes.Spread.UNIFORM);
    YamlValue least = file.get("minscanlength");
    int min = least.integer(1, WorkloadReader.MOST_SCANNED).orElse(1L).intValue();
    YamlValue most = file.get("maxscanlength");
    int max = most.integer(1, WorkloadReader.MOST_SCANNED).orElse(1_000L).intValue();
    if (min > max) {
      least.or(most).report("minscanlength, '%d', is more than maxscanlength, '%d'", min, max);
    }
    return min >= max ? ValueSizes.fixed(max) : ValueSizes.between(min, max, spread);
  }

  private SortedMap<Setting, Located<String>> settings() {
    SortedMap<Setting, Located<String>> settings = new TreeMap<>();
    SETTINGS.forEach(
        (key, setting) -> {
          YamlValue value = file.get(key);
          whole(value, 0)
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

  private static Optional<Long> whole(YamlValue value, long least) {
    return value.integer(least, Setting.RECORDS.most());
  }

  /** Returns the property that states {@code setting}. */
  static String property(Setting setting) {
    return SETTINGS.entrySet().stream()
        .filter(entry -> entry.getValue() == setting)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("dataintegrity");
  }
}
