package kvrank.scenario.read;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import kvrank.engine.Fsync;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.scenario.FactorPoints;
import kvrank.scenario.Medium;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/** Reports values that are valid each but impossible together. */
record CrossFieldChecks(
    List<Located<PhaseSpec>> phases, StatedSettings settings, String keyPrefix) {

  /** Keys must have room for this many times the loaded records if a phase inserts. */
  private static final long ROOM_FOR_INSERTS = 10;

  /** Checks everything; with {@code crash}, a crash test must recognise each value. */
  void check(Medium medium, boolean crash) {
    for (String fsync : settings.values(Setting.FSYNC)) {
      if (medium == Medium.MEMORY
          && Fsync.atLeast(fsync).orElseGet(() -> Fsync.of(fsync)).promises()) {
        settings
            .place(Setting.FSYNC)
            .report("'%s' has no effect on storage in memory; use medium ssd or hdd", fsync);
      }
    }
    checkSame("keys of %s bytes", Setting.KEY_BYTES, w -> w.keyShape().map(KeyShape::bytes));
    checkSame(
        "%s records under a prefix",
        Setting.PREFIX_RECORDS, w -> w.keyShape().map(KeyShape::perPrefix));
    checkSame("%s keys", null, w -> w.keyShape().map(CrossFieldChecks::order));
    checkSame(
        "values of %s bytes",
        Setting.VALUE_BYTES, w -> w.valueShape().map(CrossFieldChecks::sizes));
    checkSame("values of %s", null, w -> w.valueShape().map(CrossFieldChecks::contents));
    checkSame("a ttl of %s", null, w -> w.ttl().map(CrossFieldChecks::ttl));
    checkKeyDigits();
    checkValueBytes(crash || settings.values(Setting.VERIFY).contains("values"));
    if (crash
        && settings.values(Setting.MAXMEMORY).stream()
            .anyMatch(v -> MemoryLimit.of(v).isPresent())) {
      settings
          .place(Setting.MAXMEMORY)
          .report(
              "a crash test cannot distinguish lost records from evicted ones; set 'maxmemory:"
                  + " none' or remove the crash test");
    }
    new PhaseChecks(phases, settings).check(crash);
  }

  private List<PhaseSpec> specs() {
    return phases.stream().map(Located::value).toList();
  }

  /** Reports workloads that differ in {@code part}, unless {@code setting} overrides them. */
  private void checkSame(String form, Setting setting, Function<Workload, Optional<?>> part) {
    if (setting != null && settings.has(setting)) {
      return;
    }
    String firstName = null;
    String first = "";
    for (Located<PhaseSpec> phase : phases) {
      for (Workload workload : phase.value().workloads()) {
        String value = part.apply(workload).map(form::formatted).orElse(first);
        if (firstName == null && !value.isEmpty()) {
          firstName = workload.name();
          first = value;
        } else if (!value.equals(first)) {
          phase.report(
              "workload '%s' states %s, but '%s' states %s; %s",
              workload.name(),
              value,
              firstName,
              first,
              setting == null
                  ? "a run has one shape, so use two scenarios"
                  : "set '%s' to override both".formatted(setting.label()));
        }
      }
    }
  }

  private static Object order(KeyShape shape) {
    return shape.hashed() ? WorkloadReader.HASHED : "ordered";
  }

  private static Object sizes(ValueShape shape) {
    return sizes(shape.sizes());
  }

  private static String sizes(ValueSizes sizes) {
    if (sizes.fields() > 1) {
      return sizes(sizes.times(1)) + " in each of " + sizes.fields() + " fields";
    }
    if (!sizes.parts().isEmpty()) {
      return sizes.parts().stream()
          .map(part -> "%s for %s of the keys".formatted(sizes(part.sizes()), part.records()))
          .collect(
              Collectors.joining(", ", "", sizes.newest() ? ", newest first" : ", by popularity"));
    }
    return sizes.min() == sizes.max()
        ? String.valueOf(sizes.min())
        : "%d to %d (%s)"
            .formatted(
                sizes.min(),
                sizes.max(),
                sizes.bins().size() == 1
                    ? sizes.spread().name().toLowerCase(Locale.ROOT)
                    : "histogram with a mean of %.0f".formatted(sizes.mean()));
  }

  private static Object contents(ValueShape shape) {
    return shape.kind() == ValueShape.Kind.JSON
        ? "kind json"
        : "kind random, compressibility " + shape.compressibility();
  }

  private static Object ttl(Ttl ttl) {
    return "%d s for a share of %s".formatted(ttl.seconds(), ttl.share());
  }

  private void checkKeyDigits() {
    boolean inserts =
        specs().stream()
            .anyMatch(p -> !p.load() && p.workload().operations().contains(Operation.INSERT));
    String prefix =
        keyPrefix.isEmpty()
            ? ""
            : " and kvrank's prefix of %d bytes on a shared server".formatted(keyPrefix.length());
    SortedMap<Setting, List<String>> shapes = new TreeMap<>();
    shapes.put(Setting.KEY_BYTES, settings.values(Setting.KEY_BYTES));
    shapes.put(Setting.PREFIX_RECORDS, settings.values(Setting.PREFIX_RECORDS));
    for (String records : settings.values(Setting.RECORDS)) {
      long room = Long.parseLong(records) * (inserts ? ROOM_FOR_INSERTS : 1);
      for (SortedMap<Setting, String> point : FactorPoints.of(shapes)) {
        KeyShape shape = Shapes.keys(specs(), point);
        if (shape.hashed()) {
          checkHashed(shape, room);
          continue;
        }
        int least = keyPrefix.length() + Shapes.keyDigits(room, shape.perPrefix());
        if (shape.bytes() < least) {
          place(Setting.KEY_BYTES, phase -> phase.keyShape().isPresent(), Setting.RECORDS)
              .report(
                  "keys of '%d' bytes are too short for %s records%s with %d under each prefix%s;"
                      + " they must be at least %d",
                  shape.bytes(),
                  records,
                  inserts ? " and room for inserts" : "",
                  shape.perPrefix(),
                  prefix,
                  least);
          return;
        }
      }
    }
  }

  private void checkHashed(KeyShape shape, long room) {
    if (shape.under(keyPrefix).capacity() < room) {
      place(Setting.KEY_BYTES, phase -> phase.keyShape().isPresent(), Setting.RECORDS)
          .report(
              "hashed keys of '%d' bytes are too short for %d records; they need 19 digits at"
                  + " most",
              shape.bytes(), room);
    }
    if (settings.has(Setting.PREFIX_RECORDS)) {
      settings.place(Setting.PREFIX_RECORDS).report("hashed keys have no prefixes; remove it");
    }
    phases.stream()
        .filter(phase -> phase.value().workload().operations().contains(Operation.PREFIX_SCAN))
        .forEach(phase -> phase.report("prefix-scan needs ordered keys, not hashed ones"));
  }

  private void checkValueBytes(boolean verified) {
    for (String bytes : settings.values(Setting.VALUE_BYTES)) {
      ValueShape shape = Shapes.values(specs(), Map.of(Setting.VALUE_BYTES, bytes));
      boolean json = shape.kind() == ValueShape.Kind.JSON;
      int least =
          verified ? shape.kind().smallestVerifiable() : Math.max(1, shape.kind().smallest());
      if (shape.sizes().min() < least) {
        Setting setting = json ? Setting.VALUE_BYTES : Setting.VERIFY;
        place(setting, phase -> phase.valueShape().isPresent(), Setting.VALUE_BYTES)
            .report(
                "values of '%d' bytes are too short %s; they must be at least %d",
                shape.sizes().min(), json ? "for JSON" : "to be verified", least);
        return;
      }
    }
  }

  /** Returns the place of {@code setting}, or of the first matching phase, or of the other one. */
  private SourceLocation place(Setting setting, Predicate<Workload> matches, Setting otherwise) {
    return phases.stream()
        .filter(phase -> !settings.has(setting) && matches.test(phase.value().workload()))
        .findFirst()
        .map(Located::place)
        .orElseGet(() -> settings.place(settings.has(setting) ? setting : otherwise));
  }
}
