package kvrank.provision;

import java.util.List;
import java.util.stream.Collectors;
import kvrank.engine.ProvisionMethod;
import kvrank.scenario.EngineSpec;

/** Whether an engine is available by one method here, and what would be used or what is missing. */
public record MethodStatus(ProvisionMethod method, State state, String detail) {

  /** Whether a method can be used. */
  public enum State {
    AVAILABLE,

    /** Something must be installed, started or built first. */
    MISSING,

    /** It exists and does not work, and an installation would not change that. */
    BROKEN
  }

  @Override
  public String toString() {
    return method.label() + ": " + detail;
  }

  /** Returns whether it can be used. */
  public boolean available() {
    return state == State.AVAILABLE;
  }

  /** Returns whether the installation instructions of an engine.yaml can help. */
  public static boolean advisable(List<MethodStatus> ways) {
    return ways.stream().noneMatch(way -> way.state == State.BROKEN);
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
