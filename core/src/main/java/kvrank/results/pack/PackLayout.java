package kvrank.results.pack;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;

/** The files of a pack: {@code SCENARIO/TIME/} with an execution each, and their sums. */
final class PackLayout {

  /** The SHA-256 of every other file, as {@code sha256sum} writes and checks them. */
  static final String SUMS = "SHA256SUMS";

  static final String PLAN = "plan.json";

  static final List<String> ROOT =
      List.of(PLAN, "environment.json", "scenario.yaml", "tunings.json");

  static final List<String> RUN =
      List.of(
          "record.json",
          "latency.hlog",
          "timeline.csv",
          "resources.csv",
          "counters.csv",
          "generators.csv");

  /** Every name that an archive may have; none leads out of its folder. */
  private static final Pattern NAME =
      Pattern.compile(
          SUMS
              + "|(?<execution>(?!\\.)[\\w.-]{1,255}/(?!\\.)[\\w.-]{1,255})/(?:"
              + String.join("|", ROOT)
              + "|runs/(?!\\.*/)[^/\\p{Cntrl}]{1,255}/(?:generators/[0-9]{1,4}/)?(?:"
              + String.join("|", RUN)
              + "))");

  private PackLayout() {}

  static boolean has(String name) {
    return NAME.matcher(name).matches();
  }

  /** Returns whether a file has numbers and names of phases only, so that nothing is private. */
  static boolean figures(String name) {
    return name.endsWith(".hlog") || (name.endsWith(".csv") && !name.endsWith("generators.csv"));
  }

  static String sums(SortedMap<String, byte[]> files) {
    StringBuilder sums = new StringBuilder();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      String sum = DigestUtils.sha256Hex(file.getValue());
      sums.append(sum).append("  ").append(file.getKey()).append('\n');
    }
    return sums.toString();
  }
}
