package kvrank.stats;

/**
 * Repetitions of an engine that have no value in a ranking, and why. If these are not all of its
 * repetitions, the engine has a standing from the others.
 *
 * @param engine the engine's label
 * @param absence what became of them
 * @param reason why, for a reader
 * @param repetitions how many repetitions this concerns
 * @param planned how many repetitions there should be
 */
public record Excluded(
    String engine, Absence absence, String reason, int repetitions, int planned) {}
