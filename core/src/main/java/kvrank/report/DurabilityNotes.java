package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.results.Durability.Verdict;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** What is said of durability: in a table's cells, and loudly where it is not what was asked. */
final class DurabilityNotes {

  private DurabilityNotes() {}

  /** What is not proven, a sentence for each engine, phase and factor point. */
  static List<String> unproven(RankingIndex index) {
    List<String> sentences = new ArrayList<>();
    for (Group whole : index.wholes()) {
      for (String engine : index.engines()) {
        Optional<DurabilitySummary> proof = index.durability(whole, engine);
        if (doubted(proof)) {
          sentences.add(
              "%s, %s%s: %s: %s"
                  .formatted(
                      engine,
                      whole.phase(),
                      whole.at(),
                      proof.get().label(),
                      proof.get().reasons().get(0)));
        }
      }
    }
    return sentences;
  }

  /** The figures that the verdicts of a phase go by; engines with the same together. */
  static List<String> figures(RankingIndex index, Group whole) {
    Map<String, String> engines = new LinkedHashMap<>();
    for (String engine : index.engines()) {
      Optional<DurabilitySummary> found = index.durability(whole, engine);
      if (found.isPresent() && found.get().writes()) {
        String figures = found.get().label() + ": " + String.join("; ", found.get().reasons());
        engines.merge(figures, engine, (some, one) -> some + ", " + one);
      }
    }
    return engines.entrySet().stream().map(e -> e.getValue() + ": " + e.getKey()).toList();
  }

  /** Whether flushes speak against what was asked. */
  static boolean doubted(Optional<DurabilitySummary> proof) {
    return proof.filter(found -> found.verdict() == Verdict.NOT_PROVEN).isPresent();
  }

  /** {@code proven}, {@code not proven 1/3}; empty if the phase wrote nothing. */
  static String verdict(Optional<DurabilitySummary> proof) {
    return proof.filter(DurabilitySummary::writes).map(DurabilitySummary::label).orElse("");
  }

  /** Flushes per write; empty if the phase wrote nothing. */
  static String flushesPerWrite(Optional<DurabilitySummary> proof) {
    return proof
        .filter(DurabilitySummary::writes)
        .map(found -> Quantities.rare(found.flushesPerWrite().orElse(Double.NaN)))
        .orElse("");
  }
}
