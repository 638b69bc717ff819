package kvrank.stats;

import java.util.Comparator;

/**
 * One repetition of one execution, which has its place among those that were merged. It holds every
 * engine once, measured close together, so that what the machine does in it is done to all of them.
 */
public record Block(int execution, int repetition) implements Comparable<Block> {

  private static final Comparator<Block> ORDER =
      Comparator.comparingInt(Block::execution).thenComparingInt(Block::repetition);

  @Override
  public int compareTo(Block other) {
    return ORDER.compare(this, other);
  }
}
