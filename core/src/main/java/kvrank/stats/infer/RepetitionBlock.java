package kvrank.stats.infer;

/**
 * A statistical block: one repetition of one execution, which is numbered among merged ones. It has
 * every engine once, measured close together, so that changes of the machine affect all of them.
 */
public record RepetitionBlock(int execution, int repetition)
    implements Comparable<RepetitionBlock> {

  @Override
  public int compareTo(RepetitionBlock other) {
    int order = Integer.compare(execution, other.execution);
    return order == 0 ? Integer.compare(repetition, other.repetition) : order;
  }
}
