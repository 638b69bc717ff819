package kvrank.stats;

import java.util.Comparator;

/**
 * One repetition of one execution. It holds every engine once, measured close together, so that
 * what the machine does in it is done to all of them.
 *
 * @param execution the place of the execution among those that were merged, from 0
 * @param repetition the repetition of that execution
 */
public record Block(int execution, int repetition) implements Comparable<Block> {

  private static final Comparator<Block> ORDER =
      Comparator.comparingInt(Block::execution).thenComparingInt(Block::repetition);

  @Override
  public int compareTo(Block other) {
    return ORDER.compare(this, other);
  }
}
