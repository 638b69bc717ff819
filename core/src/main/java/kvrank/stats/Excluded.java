package kvrank.stats;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Repetitions of an engine that have no value in a ranking, and the reason. An engine with other
 * repetitions has a standing from those.
 */
public record Excluded(
    String engine,
    @JsonProperty("outcome") Absence absence,
    String reason,
    int repetitions,
    int planned) {}
