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
import kvrank.stats.Standing;

/** What is said of durability: in a table's cells, and loudly where it is not what was asked. */
final class DurabilityNotes {

  static final String NOT_PROVEN =
      "Durability is not proven: the disk's flushes say that these rows are not what fsync asked"
          + " for.";

  private DurabilityNotes() {}

  /** What is not proven, a sentence for each engine, phase and factor point. */
  static List<String> unproven(RankingIndex board) {
    List<String> sentences = new ArrayList<>();
    for (Group whole : board.wholes()) {
      for (String engine : board.engines()) {
        board
            .durability(whole, engine)
            .filter(proof -> proof.verdict() == Verdict.NOT_PROVEN)
            .ifPresent(proof -> sentences.add(sentence(whole, engine, proof)));
      }
    }
    return sentences;
  }

  private static String sentence(Group whole, String engine, DurabilitySummary proof) {
    String point = whole.point();
    return "%s, %s%s: %s: %s"
        .formatted(
            engine,
            whole.phase(),
            point.isEmpty() ? "" : " at " + point,
            proof.label(),
            proof.reasons().get(0));
  }

  /** The warning at the top of a report; empty if there is nothing to warn of. */
  static List<Block> warning(RankingIndex board, int most) {
    List<String> sentences = unproven(board);
    if (sentences.isEmpty()) {
      return List.of();
    }
    List<String> shown = new ArrayList<>(sentences.subList(0, Math.min(most, sentences.size())));
    if (shown.size() < sentences.size()) {
      shown.add("and %d more".formatted(sentences.size() - shown.size()));
    }
    return List.of(new Block.Warning(NOT_PROVEN, shown));
  }

  /** What could not be measured in a phase, and why; engines with one reason together. */
  static List<String> unmeasured(RankingIndex board, Group whole) {
    Map<String, List<String>> engines = new LinkedHashMap<>();
    for (Standing standing : board.throughput(whole).standings()) {
      board
          .durability(whole, standing.engine())
          .filter(proof -> proof.verdict() == Verdict.NOT_MEASURABLE)
          .ifPresent(
              proof ->
                  engines
                      .computeIfAbsent(
                          proof.label() + ": " + proof.reasons().get(0),
                          reason -> new ArrayList<>())
                      .add(standing.engine()));
    }
    List<String> sentences = new ArrayList<>();
    engines.forEach((reason, names) -> sentences.add(String.join(", ", names) + ": " + reason));
    return sentences;
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
        .map(
            found ->
                found.flushesPerWrite().isPresent()
                    ? Quantities.rare(found.flushesPerWrite().getAsDouble())
                    : Quantities.NONE)
        .orElse("");
  }
}
