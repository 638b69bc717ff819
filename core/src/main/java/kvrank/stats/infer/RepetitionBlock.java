package kvrank.stats.infer;

import java.util.Comparator;

/**
 * A block in the sense of statistics: one repetition of one execution, which has its place among
 * those that were merged. It holds every engine once, measured close together, so that what the
 * machine does in it is done to all of them.
 */
public record RepetitionBlock(int execution, int repetition)
    implements Comparable<RepetitionBlock> {

  private static final Comparator<RepetitionBlock> ORDER =
      Comparator.comparingInt(RepetitionBlock::execution)
          .thenComparingInt(RepetitionBlock::repetition);

  @Override
  public int compareTo(RepetitionBlock other) {
    return ORDER.compare(this, other);
  }
}
