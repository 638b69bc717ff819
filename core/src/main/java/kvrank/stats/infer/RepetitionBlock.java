package kvrank.stats.infer;

import java.util.Comparator;

/**
 * A statistical block: one repetition of one execution, which is numbered among merged ones. It has
 * every engine once, measured close together, so that changes of the machine affect all of them.
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
