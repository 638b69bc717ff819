package kvrank.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.results.PhaseRecord;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * The durability of one engine in one phase, over its repetitions: proven only if each is.
 *
 * @param verdict the worst verdict
 * @param count the number of repetitions with that verdict
 * @param of the number of repetitions with any verdict
 * @param flushesPerWrite the median of the repetitions that have it
 * @param reasons the distinct reasons for that verdict
 */
public record DurabilitySummary(
    Verdict verdict,
    @JsonProperty("repetitions") int count,
    int of,
    OptionalDouble flushesPerWrite,
    List<String> reasons) {

  private static final List<Verdict> WORST_FIRST =
      List.of(Verdict.NOT_PROVEN, Verdict.NOT_MEASURABLE, Verdict.PROVEN, Verdict.NO_WRITES);

  /** Returns the summary of some repetitions; empty if none was checked. */
  public static Optional<DurabilitySummary> of(Collection<PhaseRecord> repetitions) {
    List<Durability> judged =
        repetitions.stream().flatMap(phase -> phase.durability().stream()).toList();
    for (Verdict verdict : WORST_FIRST) {
      List<Durability> worst =
          judged.stream().filter(durability -> durability.verdict() == verdict).toList();
      if (!worst.isEmpty()) {
        List<String> reasons = worst.stream().map(Durability::reason).distinct().toList();
        return Optional.of(
            new DurabilitySummary(verdict, worst.size(), judged.size(), median(judged), reasons));
      }
    }
    return Optional.empty();
  }

  private static OptionalDouble median(List<Durability> judged) {
    double[] values =
        judged.stream()
            .flatMapToDouble(durability -> durability.flushesPerWrite().stream())
            .toArray();
    return values.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(new Median().evaluate(values));
  }

  /**
   * Returns whether the flushes contradict the level of fsync: in any repetition if it promises
   * flushes; otherwise in most, as other processes cause a few.
   */
  boolean doubted(boolean promisesFlushes) {
    return verdict == Verdict.NOT_PROVEN && (promisesFlushes || 2 * count > of);
  }

  public boolean writes() {
    return verdict != Verdict.NO_WRITES;
  }

  /** Returns the verdict, with its count if not all have it: {@code not proven 1/3}. */
  public String label() {
    return count == of ? verdict.label() : "%s %d/%d".formatted(verdict.label(), count, of);
  }
}
