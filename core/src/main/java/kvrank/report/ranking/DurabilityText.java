package kvrank.report.ranking;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import kvrank.stats.CrashLosses;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** The text on durability of an engine in a ranking: level, verdict by flushes, power cuts. */
public final class DurabilityText {

  private final RankingIndex index;

  public DurabilityText(RankingIndex index) {
    this.index = index;
  }

  /** Returns the verdict on durability of every row, for example {@code proven}, if they agree. */
  public String shared(Group phaseGroup) {
    List<Standing> standings = index.decisive(phaseGroup).standings();
    boolean shared =
        standings.stream().map(each -> levelAndProof(phaseGroup, each)).distinct().count() == 1;
    return shared ? proof(phaseGroup, standings.get(0)) : "";
  }

  /** Returns the verdict on durability, with the level unless the heading above has it. */
  String proof(Group phaseGroup, Standing standing) {
    // With 'at-least', it has not.
    return index.level(phaseGroup, standing.engine()).equals(phaseGroup.fsync())
        ? of(
            phaseGroup,
            standing,
            proof -> proof.label() + cuts(index, phaseGroup, standing.engine()))
        : levelAndProof(phaseGroup, standing);
  }

  /** Returns for example {@code on, proven}. */
  String levelAndProof(Group phaseGroup, Standing standing) {
    return of(
        phaseGroup,
        standing,
        proof ->
            index.level(phaseGroup, standing.engine())
                + ", "
                + proof.label()
                + cuts(index, phaseGroup, standing.engine()));
  }

  /**
   * Returns for example {@code , 0 of 5 cuts lost}, {@code , not proven by a cut} or {@code , not
   * cut}; empty if something was wrong after a cut, or if none was asked for.
   */
  public static String cuts(RankingIndex index, Group phaseGroup, String engine) {
    CrashLosses losses = index.losses(phaseGroup, engine, true);
    if (!phaseGroup.promisesFlushes() || !index.crashed(true) || !losses.offence().isEmpty()) {
      return "";
    }
    if (index.notCut(phaseGroup, engine)) {
      return ", not cut";
    }
    int proving = losses.conclusive();
    return losses.unproven().isPresent()
        ? ", not proven by a cut"
        : ", 0 of %d cut%s lost".formatted(proving, proving == 1 ? "" : "s")
            + (losses.unknown() == 0 ? "" : ", %d unknown".formatted(losses.unknown()));
  }

  /** Returns the text on durability; empty if the phase wrote nothing. */
  String of(Group group, Standing standing, Function<DurabilitySummary, String> text) {
    Optional<DurabilitySummary> found = index.durability(group, standing.engine());
    return found.filter(DurabilitySummary::writes).map(text).orElse("");
  }
}
