package kvrank.scenario.read.ycsb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.scenario.Setting;
import kvrank.workload.OperationMix;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/** Translates the properties of YCSB's {@code CoreWorkload} to a workload of kvrank. */
final class YcsbCoreReader {

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

  private static final Map<String, Distribution> DISTRIBUTIONS =
      Map.of(
          "uniform", Distribution.UNIFORM,
          "zipfian", Distribution.ZIPFIAN,
          "latest", Distribution.LATEST,
          "hotspot", Distribution.HOTSPOT,
          "exponential", Distribution.EXPONENTIAL,
          "sequential", Distribution.SEQUENTIAL);

  private final PropertyFile file;
  private final String name;
  private final List<String> notes;

  /** Creates a reader that adds what differs from YCSB to {@code notes}. */
  YcsbCoreReader(PropertyFile file, String name, List<String> notes) {
    this.file = file;
    this.name = name;
    this.notes = notes;
  }

  Workload read() {
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
                : ValueSizes.fixed(OperationMix.DEFAULT_SCAN_RECORDS),
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
    long first = start.integer(0, Setting.RECORDS.most()).orElse(0L);
    if (first > 0) {
      start.report("'%d' skips records; kvrank loads all, with 'machines' on several hosts", first);
    }
    Optional<Long> records =
        file.get("recordcount").integer(0, Setting.RECORDS.most()).filter(all -> all > 0);
    Optional<Long> part = count.integer(0, Setting.RECORDS.most());
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
    int fields = file.get("fieldcount").integer(1, ValueSizes.MOST_FIELDS).orElse(10L).intValue();
    ValueSizes sizes = new YcsbFieldLengths(file).of(fields);
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

  private ValueSizes scanRecords() {
    ValueSizes.Spread spread =
        file.get("scanlengthdistribution")
            .choice(
                "scanlengthdistribution",
                Map.of("uniform", ValueSizes.Spread.UNIFORM, "zipfian", ValueSizes.Spread.ZIPFIAN))
            .orElse(ValueSizes.Spread.UNIFORM);
    YamlValue least = file.get("minscanlength");
    int min = least.integer(1, OperationMix.MOST_SCANNED).orElse(1L).intValue();
    YamlValue most = file.get("maxscanlength");
    int max = most.integer(1, OperationMix.MOST_SCANNED).orElse(1_000L).intValue();
    if (min > max) {
      least.or(most).report("minscanlength, '%d', is more than maxscanlength, '%d'", min, max);
    }
    return min >= max ? ValueSizes.fixed(max) : ValueSizes.between(min, max, spread);
  }
}
