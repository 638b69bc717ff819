package kvrank.stats;

import java.util.Optional;
import kvrank.results.RunRecord;

/**
 * A run in a phase, and whether the rankings of the phase rest on it.
 *
 * @param leftOut the reason if they do not; a run that counts may lack the value of a metric
 */
public record Counted(RunRecord run, Optional<Excluded> leftOut) {}
