package kvrank.provision;

import java.util.List;
import java.util.stream.Collectors;
import kvrank.engine.ProvisionMethod;
import kvrank.scenario.EngineSpec;

/** Whether a method provides an engine on this machine, with what it uses or lacks. */
public record MethodStatus(ProvisionMethod method, State state, String detail) {

  public enum State {
    AVAILABLE,

    /** Something must be installed, started or built first. */
    MISSING,

    /** It exists but does not work, and an installation would not help. */
    BROKEN
  }

  @Override
  public String toString() {
    return method.label() + ": " + detail;
  }

  public boolean available() {
    return state == State.AVAILABLE;
  }

  /** Returns whether the installation instructions of an engine.yaml can help. */
  public static boolean advisable(List<MethodStatus> ways) {
    return ways.stream().noneMatch(way -> way.state == State.BROKEN);
  }

  /** Returns the reason why no method provides {@code engine}, and how to install it. */
  public static String missing(List<MethodStatus> ways, EngineSpec engine) {
    return text(ways) + (advisable(ways) ? engine.installation() : "");
  }

  /** Returns all methods in one sentence. */
  public static String text(List<MethodStatus> ways) {
    return ways.stream().map(MethodStatus::toString).collect(Collectors.joining("; "));
  }
}
