package kvrank.results;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One SIGKILL under load, on data of its own, and what was there after a restart.
 *
 * @param ending how the process ended, for example {@code was killed by SIGKILL (exit status 137)}
 * @param acknowledged how many writes were acknowledged before
 * @param restartNanos how long the engine took until it answered again; for an embedded engine with
 *     the start of the JVM that it lives in; empty if it did not come back
 * @param lostWrites what was missing and what was too much; empty if that could not be looked at
 * @param reason why it could not; empty if it could
 */
public record Crash(
    String ending,
    long acknowledged,
    OptionalLong restartNanos,
    @JsonAlias("losses") Optional<LostWrites> lostWrites,
    String reason) {}
