package kvrank;

import static org.junit.jupiter.api.Assumptions.abort;

/** Skips a test that this machine cannot run, and prints it in the build's output. */
public final class Skip {

  private Skip() {}

  /** Skips the calling test: {@code what} is not shown, since {@code why}. */
  public static void test(String what, String why) {
    String reason = "SKIPPED: %s: %s".formatted(what, why);
    System.out.println(reason);
    abort(reason);
  }
}
