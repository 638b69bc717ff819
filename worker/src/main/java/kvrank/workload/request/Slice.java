package kvrank.workload.request;

/**
 * One machine's part of a load: some of the threads, with the numbers that they have among those of
 * all machines. What a client asks depends on its number alone, so it does not depend on how many
 * machines there are.
 *
 * @param part from 0
 * @param parts how many machines share the threads
 */
public record Slice(int part, int parts) {

  /** All of the load. */
  public static final Slice WHOLE = new Slice(0, 1);

  public Slice {
    if (part < 0 || part >= parts) {
      throw new IllegalArgumentException("part " + part + " of " + parts);
    }
  }

  /**
   * Returns the slice that {@code text} names, such as {@code 2/4} for the third of four.
   *
   * @throws IllegalArgumentException if it names none
   */
  public static Slice of(String text) {
    String[] numbers = text.split("/", -1);
    if (numbers.length != 2) {
      throw new IllegalArgumentException("'" + text + "' is not PART/PARTS");
    }
    return new Slice(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }

  /** Returns the number of the first thread of this slice, of {@code threads} in all. */
  public int first(int threads) {
    return ceiling(part, threads);
  }

  /** Returns how many of {@code threads} are of this slice: one of a single thread, the first. */
  public int size(int threads) {
    return ceiling(part + 1, threads) - first(threads);
  }

  private int ceiling(int numerator, int threads) {
    return Math.toIntExact(((long) numerator * threads + parts - 1) / parts);
  }
}
