package kvrank.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import kvrank.metric.Direction;

/**
 * How far a {@link SequentialPlan} is with one metric: each engine against the best one.
 *
 * @param best the engine that is better than most others, whether that is sure or not
 * @param questions one for each other engine, in the order of their names
 */
public record SequentialProgress(Optional<String> best, List<Question> questions) {

  /**
   * Whether an engine differs from the best one.
   *
   * @param verdict what is known of the best one against this one
   * @param settled whether no further block is needed
   */
  public record Question(String engine, PairVerdict verdict, boolean settled) {}

  public SequentialProgress {
    questions = List.copyOf(questions);
  }

  /**
   * The progress.
   *
   * @param interval what is wanted of each ratio instead of a verdict, as a share: 0.05 is an
   *     interval that reaches at most 5 % to each side
   */
  public static SequentialProgress of(
      PairwiseComparisons comparisons, Direction direction, OptionalDouble interval) {
    List<String> engines = comparisons.engines();
    Optional<String> best =
        engines.stream()
            .max(
                Comparator.<String>comparingLong(engine -> beaten(engine, comparisons, direction))
                    .thenComparing(Comparator.reverseOrder()));
    List<Question> questions = new ArrayList<>();
    for (String engine : engines) {
      if (!engine.equals(best.orElseThrow())) {
        PairVerdict verdict = comparisons.verdict(best.orElseThrow(), engine);
        questions.add(new Question(engine, verdict, settled(verdict, interval)));
      }
    }
    return new SequentialProgress(best, questions);
  }

  private static long beaten(String engine, PairwiseComparisons comparisons, Direction direction) {
    return comparisons.engines().stream()
        .filter(other -> !other.equals(engine))
        .filter(other -> direction.compare(comparisons.verdict(engine, other).value(), 1) < 0)
        .count();
  }

  private static boolean settled(PairVerdict verdict, OptionalDouble interval) {
    if (interval.isEmpty()) {
      return verdict.separated() || verdict.kind() == Separation.EQUAL;
    }
    Ratio ratio = verdict.ratio();
    return ratio.hasInterval() && ratio.high() / ratio.value() - 1 <= interval.getAsDouble();
  }

  /** The engines that need a further block: those of every question that is open. */
  public NavigableSet<String> needed() {
    NavigableSet<String> needed = new TreeSet<>();
    for (Question question : questions) {
      if (!question.settled()) {
        needed.add(question.engine());
        best.ifPresent(needed::add);
      }
    }
    return needed;
  }
}
