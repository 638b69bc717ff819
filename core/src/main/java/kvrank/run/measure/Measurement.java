package kvrank.run.measure;

import java.util.Optional;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.run.durability.WrittenStretch;

/**
 * What came of one measured stretch: a phase, or one step of a sweep.
 *
 * @param phase its record, without durability, which is judged when the run is over
 * @param written what that goes by; empty if the worker did not count to the end. Errors and wrong
 *     answers void the stretch all the same
 */
record Measurement(PhaseRecord phase, Optional<WrittenStretch> written) {

  boolean completed() {
    return phase.outcome() instanceof Outcome.Completed;
  }
}
