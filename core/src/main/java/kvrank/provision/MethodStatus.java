package kvrank.provision;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvrank.engine.ProvisionMethod;
import kvrank.scenario.EngineSpec;

/** Whether an engine is available by one method here, and what would be used or what is missing. */
public record MethodStatus(ProvisionMethod method, boolean available, String detail) {

  /** What more tools do not help against. */
  private static final Pattern FAULT =
      Pattern.compile("its build failed|refuses binding\\.jvm|_LIBRARY names it\\)$");

  @Override
  public String toString() {
    return method.label() + ": " + detail;
  }

  /** Returns whether what an engine.yaml says of how to get its engine is of use. */
  public static boolean advisable(List<MethodStatus> ways) {
    return ways.stream().noneMatch(way -> FAULT.matcher(way.detail).find());
  }

  /** Returns why {@code engine} is available in none of {@code ways}, and how to get it. */
  public static String missing(List<MethodStatus> ways, EngineSpec engine) {
    return text(ways) + (advisable(ways) ? engine.installation() : "");
  }

  /** Returns all of {@code ways} in one sentence. */
  public static String text(List<MethodStatus> ways) {
    return ways.stream().map(MethodStatus::toString).collect(Collectors.joining("; "));
  }
}
