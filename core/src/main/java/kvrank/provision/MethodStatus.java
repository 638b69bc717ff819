package kvrank.provision;

import java.util.List;
import java.util.stream.Collectors;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.ProvisionMethod;

/** Whether an engine is available by one method here, and what would be used or what is missing. */
public record MethodStatus(ProvisionMethod method, boolean available, String detail) {

  @Override
  public String toString() {
    return method.label() + ": " + detail;
  }

  /** A library that was named or did not compile: more tools do not help. */
  private boolean ofItself() {
    return detail.contains("its build failed") || detail.endsWith(Availability.NAMES_IT);
  }

  /** Returns whether what an engine.yaml says of how to get its engine is of use. */
  public static boolean advisable(List<MethodStatus> ways) {
    return ways.stream().noneMatch(MethodStatus::ofItself);
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
