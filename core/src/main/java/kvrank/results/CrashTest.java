package kvrank.results;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What an engine that was killed had lost of what it acknowledged, as it was found after one run.
 *
 * @param kills what came of each kill, in order
 * @param reason why there are none, or no more of them; empty if all were done
 */
public record CrashTest(List<Crash> kills, String reason) {

  public CrashTest {
    kills = List.copyOf(kills);
    requireNonNull(reason, "reason is null");
  }
}
