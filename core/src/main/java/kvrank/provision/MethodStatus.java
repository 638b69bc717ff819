package kvrank.provision;

import java.util.List;
import java.util.stream.Collectors;
import kvrank.scenario.ProvisionMethod;

/** Whether an engine is available by one method here, and what would be used or what is missing. */
public record MethodStatus(ProvisionMethod method, boolean available, String detail) {

  @Override
  public String toString() {
    return method.label() + ": " + detail;
  }

  /** Returns all of {@code ways} in one sentence. */
  public static String text(List<MethodStatus> ways) {
    return ways.stream().map(MethodStatus::toString).collect(Collectors.joining("; "));
  }
}
