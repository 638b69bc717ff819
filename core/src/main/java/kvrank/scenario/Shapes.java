package kvrank.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/**
 * The shapes of the keys and values of a run. Its phases share its records, so there is one shape
 * of each: from the settings, or else from the first workload that states one, or else the default.
 */
public final class Shapes {

  private Shapes() {}

  /** Returns the shape of the keys; absent or empty settings leave it to the workloads. */
  public static KeyShape keys(List<PhaseSpec> phases, Map<Setting, String> settings) {
    KeyShape stated = first(phases, Workload::keyShape).orElse(KeyShape.DEFAULT);
    return new KeyShape(
        (int) value(settings, Setting.KEY_BYTES, stated.bytes()),
        value(settings, Setting.PREFIX_RECORDS, stated.perPrefix()),
        "",
        stated.hashed());
  }

  /**
   * Returns the prefix of keys on a shared server. It is the same for every engine and run, so that
   * all do the same work, and differs between users and hosts, so that none removes another's keys.
   */
  public static String prefix(String scenario, long seed) {
    String owner = System.getProperty("user.name") + "@" + host();
    byte[] source = String.join("\n", owner, scenario, Long.toString(seed)).getBytes(UTF_8);
    return "kvrank:" + UUID.nameUUIDFromBytes(source).toString().substring(0, 8) + ":";
  }

  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the shape of the values and their times to live; settings change only the size. */
  public static ValueShape values(List<PhaseSpec> phases, Map<Setting, String> settings) {
    ValueShape stated = first(phases, Workload::valueShape).orElse(ValueShape.DEFAULT);
    int bytes = (int) value(settings, Setting.VALUE_BYTES, 0);
    return new ValueShape(
        stated.kind(),
        bytes == 0 ? stated.sizes() : ValueSizes.fixed(bytes),
        stated.compressibility(),
        first(phases, Workload::ttl).orElse(Ttl.NONE));
  }

  /** Returns the first value of {@code part} among the workloads. */
  public static <T> Optional<T> first(
      List<PhaseSpec> phases, Function<Workload, Optional<T>> part) {
    return phases.stream().flatMap(phase -> part.apply(phase.workload()).stream()).findFirst();
  }

  /**
   * Returns the minimum length of a key: the digits of the last group's number, and of the last
   * number in a group if a group has several records.
   */
  public static int keyDigits(long records, long perPrefix) {
    int group = Long.toString((records - 1) / perPrefix).length();
    return perPrefix == 1 ? group : group + Long.toString(perPrefix - 1).length();
  }

  private static long value(Map<Setting, String> settings, Setting setting, long stated) {
    String value = settings.getOrDefault(setting, "");
    return value.isEmpty() ? stated : Long.parseLong(value);
  }
}
