package kvrank.scenario.read;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.Fsync;
import kvrank.input.Located;
import kvrank.input.YamlValue;
import kvrank.scenario.CrashTest;
import kvrank.scenario.CrashTest.FileSystem;
import kvrank.scenario.CrashTest.Keep;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.scenario.Setting;
import kvrank.workload.request.DurationFormat;

/**
 * Reads the settings of a scenario at its top level, in {@code measure}, in {@code factors} and on
 * the command line, and the crash test in {@code verify}.
 */
final class SettingsReader {

  /** The settings in {@code measure}. */
  static final Set<Setting> MEASURE =
      EnumSet.of(Setting.WARMUP, Setting.DURATION, Setting.OPERATIONS);

  private static final int MAX_CRASHES = 1_000;
  private static final Map<String, Integer> SECTORS =
      Map.of("512", 512, "1024", 1024, "2048", 2048, "4096", 4096);

  /** A {@code sync} of another program waits for several flushes. */
  private static final Duration LONGEST_SYNC = Duration.ofMillis(100);

  private static final Duration LONGEST_LIFETIME = Duration.ofSeconds(90);

  private final Overrides overrides;
  private final Map<Setting, YamlValue> fixed = new EnumMap<>(Setting.class);
  private final Map<Setting, YamlValue> factors = new EnumMap<>(Setting.class);

  SettingsReader(Overrides overrides) {
    this.overrides = overrides;
  }

  /** Returns the stated settings with their values. */
  SortedMap<Setting, Located<List<String>>> read(YamlValue root) {
    YamlValue measure = root.get("measure").meant("{duration: %s}"::formatted);
    YamlValue varied = root.get("factors").keys("setting");
    for (Setting setting : Setting.values()) {
      YamlValue one = (MEASURE.contains(setting) ? measure : root).get(setting.label());
      YamlValue several = varied.get(setting.label());
      YamlValue set = overrides.get(setting.label(), one.absent());
      boolean inFile = !replaced(setting);
      fixed.put(setting, inFile ? one : set.isList() ? one.absent() : set);
      factors.put(setting, inFile ? several : set.isList() ? set : several.absent());
    }
    refuseContradictions();
    SortedMap<Setting, Located<List<String>>> result = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      YamlValue value = stated(setting);
      if (value.isPresent()) {
        List<String> values = values(setting, value);
        // An invalid value, which is reported already, is replaced by a valid one.
        String other = setting == Setting.FSYNC ? Fsync.OFF.label() : setting.defaultValue();
        result.put(
            setting, new Located<>(values.isEmpty() ? List.of(other) : values, value.place()));
      }
    }
    if (!result.containsKey(Setting.FSYNC)) {
      root.place()
          .key("fsync", null)
          .report("missing key 'fsync'; write 'fsync: on' or 'fsync: off', or make it a factor");
    }
    return result;
  }

  /** Returns whether the command line replaces the setting, or its alternative. */
  boolean replaced(Setting setting) {
    return overrides.has(setting)
        || (setting == Setting.DURATION && overrides.has(Setting.OPERATIONS))
        || (setting == Setting.OPERATIONS && overrides.has(Setting.DURATION));
  }

  /** Returns a sentence on the {@code operations} of the file that a duration replaces, or back. */
  Optional<String> alternative(YamlValue root) {
    boolean duration = overrides.has(Setting.DURATION);
    if (duration == overrides.has(Setting.OPERATIONS)) {
      return Optional.empty();
    }
    Setting set = duration ? Setting.DURATION : Setting.OPERATIONS;
    String other = (duration ? Setting.OPERATIONS : Setting.DURATION).label();
    YamlValue stated = root.get("factors").get(other).or(root.get("measure").get(other));
    return Optional.of(stated)
        .filter(YamlValue::isPresent)
        .map(
            it ->
                "--set %s replaces '%s: %s' on %s"
                    .formatted(set.label(), other, it.tree(), it.place().reference()));
  }

  private void refuseContradictions() {
    for (Setting setting : Setting.values()) {
      YamlValue one = fixed.get(setting);
      if (one.isPresent() && factors.get(setting).isPresent()) {
        single(setting, one);
        factors
            .get(setting)
            .report(
                "'%s' also has a single value on %s; keep one of the two",
                setting.label(), one.place().reference());
      }
    }
    if (stated(Setting.DURATION).isPresent() && stated(Setting.OPERATIONS).isPresent()) {
      stated(Setting.OPERATIONS).report("'operations' and 'duration' exclude each other; keep one");
    }
  }

  private YamlValue stated(Setting setting) {
    return factors.get(setting).or(fixed.get(setting));
  }

  private List<String> values(Setting setting, YamlValue stated) {
    boolean factor = factors.get(setting) == stated;
    if (factor && stated.isList()) {
      return stated.distinct(setting::read);
    } else if (factor) {
      stated.report("expected a list of values, such as [1, 8]");
    } else if (stated.isList()) {
      stated.report("expected one value; to vary it, write factors: {%s: [...]}", setting.label());
    } else {
      return single(setting, stated).stream().toList();
    }
    return List.of();
  }

  /** Returns the canonical form of a single value, which for verify may be a map. */
  private static Optional<String> single(Setting setting, YamlValue value) {
    return setting == Setting.VERIFY
        ? verification(value).map(Verification::setting)
        : setting.read(value);
  }

  /** The setting in {@code verify}, and the crash test, if any. */
  private record Verification(String setting, Optional<CrashTest> crashTest) {}

  private static Optional<Verification> verification(YamlValue value) {
    if (!value.isMap()) {
      return value.choice(
          "verification",
          Map.of(
              "none", new Verification("none", Optional.empty()),
              "values", new Verification("values", Optional.empty()),
              "crash", new Verification("none", Optional.of(CrashTest.KILL)),
              "power-cut", new Verification("none", Optional.of(CrashTest.POWER_CUT))));
    }
    CrashTest base =
        value
            .required("after")
            .choice("event", Map.of("crash", CrashTest.KILL, "power-cut", CrashTest.POWER_CUT))
            .orElse(CrashTest.KILL);
    Optional<Long> crashes = value.get("crashes").integer(1, MAX_CRASHES);
    boolean values = value.get("values").flag().orElse(false);
    CrashTest test =
        new CrashTest(
            crashes.map(Long::intValue).orElse(base.crashes()),
            base.powerCut().map(ordinary -> powerCut(value, ordinary)));
    return Optional.of(new Verification(values ? "values" : "none", Optional.of(test)));
  }

  private static PowerCut powerCut(YamlValue value, PowerCut ordinary) {
    List<Keep> keep =
        YamlValue.readAll(value.get("keep").oneOrMore(), item -> item.choice("subset", Keep.class));
    return new PowerCut(
        keep.isEmpty() ? ordinary.keep() : keep,
        value.get("sector").choice("size of a sector", SECTORS).orElse(ordinary.sectorBytes()),
        value
            .get("filesystem")
            .choice("file system", FileSystem.class)
            .orElse(ordinary.fileSystem()),
        atMost(value.get("sync"), LONGEST_SYNC, ", as every 'sync' on this machine waits for it")
            .orElse(ordinary.sync()),
        atMost(value.get("lifetime"), LONGEST_LIFETIME, ""));
  }

  private static Optional<Duration> atMost(YamlValue value, Duration most, String why) {
    Optional<Duration> duration = value.duration("a number and ms or s, such as 2ms");
    return duration.filter(stated -> stated.compareTo(most) > 0).isPresent()
        ? value.report(
            "'%s' is too long; it must be at most %s%s",
            value.tree(), DurationFormat.format(most), why)
        : duration;
  }

  /** Returns the crash test after each run, if any. */
  Optional<CrashTest> crashTest(SortedMap<Setting, Located<List<String>>> stated) {
    YamlValue verify = fixed.get(Setting.VERIFY);
    YamlValue option = overrides.get("crashes", verify.absent());
    Optional<CrashTest> test =
        verify.isList() ? Optional.empty() : verification(verify).flatMap(Verification::crashTest);
    if (!option.isPresent()) {
      return test;
    }
    if (stated.containsKey(Setting.VERIFY) && stated.get(Setting.VERIFY).value().size() > 1) {
      option.report(
          "a crash test is not possible while 'verify' is a factor; set verify=crash too");
    }
    return option
        .integer(1, MAX_CRASHES)
        .map(count -> test.orElse(CrashTest.KILL).times(count.intValue()));
  }
}
