package kvrank.stats;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * So many of the planned repetitions of an engine that have no value in a ranking, and why. If
 * these are not all of them, the engine has a standing from the others.
 */
public record Excluded(
    String engine,
    @JsonProperty("outcome") Absence absence,
    String reason,
    int repetitions,
    int planned) {}
