package kvrank.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.results.PhaseRecord;

/**
 * What the repetitions of one engine in one phase say of its durability together: that of all is
 * proven only if that of each is.
 *
 * @param verdict the worst of them, which {@code count} repetitions have {@code of} those with any
 * @param flushesPerWrite the median of those that have it
 * @param reasons of the repetitions that have that verdict, each once
 */
public record DurabilitySummary(
    Verdict verdict,
    @JsonProperty("repetitions") int count,
    int of,
    OptionalDouble flushesPerWrite,
    List<String> reasons) {

  private static final List<Verdict> WORST_FIRST =
      List.of(Verdict.NOT_PROVEN, Verdict.NOT_MEASURABLE, Verdict.PROVEN, Verdict.NO_WRITES);

  /** The proof of some repetitions; empty if none was looked at. */
  public static Optional<DurabilitySummary> of(Collection<PhaseRecord> repetitions) {
    List<Durability> judged =
        repetitions.stream().flatMap(phase -> phase.durability().stream()).toList();
    for (Verdict verdict : WORST_FIRST) {
      List<Durability> such =
          judged.stream().filter(durability -> durability.verdict() == verdict).toList();
      if (!such.isEmpty()) {
        List<String> reasons = such.stream().map(Durability::reason).distinct().toList();
        return Optional.of(
            new DurabilitySummary(verdict, such.size(), judged.size(), median(judged), reasons));
      }
    }
    return Optional.empty();
  }

  private static OptionalDouble median(List<Durability> judged) {
    double[] sorted =
        judged.stream()
            .flatMapToDouble(durability -> durability.flushesPerWrite().stream())
            .sorted()
            .toArray();
    int n = sorted.length;
    return n == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
  }

  /** Whether flushes speak against what was asked. */
  public boolean doubted() {
    return verdict == Verdict.NOT_PROVEN;
  }

  public boolean writes() {
    return verdict != Verdict.NO_WRITES;
  }

  /** The verdict, and of how many repetitions if not of all: {@code not proven 1/3}. */
  public String label() {
    return count == of ? verdict.label() : "%s %d/%d".formatted(verdict.label(), count, of);
  }
}
