package kvrank.plan;

import java.util.Optional;

/**
 * What a crash test does after the phases of a run.
 *
 * @param crashes how often the engine is killed, each time on fresh data
 * @param threads how many threads write until then
 * @param unsupported why it cannot be done with this engine; it is left out then
 */
public record CrashTestSpec(int crashes, int threads, Optional<String> unsupported) {}
