package kvrank.plan;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a crash test does after the phases of a run.
 *
 * @param crashes how often the engine is killed, each time on fresh data
 * @param threads how many threads write until then
 * @param unsupported why it cannot be done with this engine; it is left out then
 */
public record CrashTestSpec(int crashes, int threads, Optional<String> unsupported) {

  public CrashTestSpec {
    requireNonNull(unsupported, "unsupported is null");
  }
}
