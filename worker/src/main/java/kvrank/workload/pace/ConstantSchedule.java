package kvrank.workload.pace;

/** Equal distances, the threads in turn. */
public final class ConstantSchedule implements ArrivalSchedule {

  private final double spacing;
  private final double offset;

  /**
   * @param spacing nanoseconds between two requests of the thread
   * @param offset when the first is due
   */
  public ConstantSchedule(double spacing, double offset) {
    this.spacing = spacing;
    this.offset = offset;
  }

  @Override
  public long due(long number) {
    return (long) (offset + number * spacing);
  }
}
