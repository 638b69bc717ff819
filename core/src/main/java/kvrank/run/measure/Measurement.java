package kvrank.run.measure;

import java.util.Optional;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.run.durability.WrittenStretch;

/**
 * The result of one measured stretch: a phase, or one step of a sweep.
 *
 * @param phase without durability, which is judged after the run
 * @param written the basis for that; empty if the worker did not finish. Errors and wrong answers
 *     void the stretch nevertheless
 */
record Measurement(PhaseRecord phase, Optional<WrittenStretch> written) {

  boolean completed() {
    return phase.outcome() instanceof Outcome.Completed;
  }
}
