package kvrank.run.measure;

import java.util.Optional;
import kvrank.fact.Facts;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.run.durability.WrittenStretch;

/**
 * The result of one measured stretch: a phase, or one step of a sweep. Durability is judged after
 * the run by {@code written}, which is empty if the worker did not finish.
 */
record Measurement(PhaseRecord phase, Optional<WrittenStretch> written) {

  Measurement with(Facts more) {
    return new Measurement(phase.with(more), written);
  }

  Measurement withFootprint(long bytes) {
    return new Measurement(phase.withFootprint(bytes), written);
  }

  boolean completed() {
    return phase.outcome() instanceof Outcome.Completed;
  }
}
