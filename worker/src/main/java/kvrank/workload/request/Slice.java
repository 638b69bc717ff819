package kvrank.workload.request;

/**
 * One machine's part of a load: some of the threads, with their numbers among all machines. A
 * client's requests depend only on its number, so not on the number of machines.
 *
 * @param part from 0
 * @param parts the number of machines
 */
public record Slice(int part, int parts) {

  public static final Slice WHOLE = new Slice(0, 1);

  public Slice {
    if (part < 0 || part >= parts) {
      throw new IllegalArgumentException("part " + part + " of " + parts);
    }
  }

  /**
   * Parses {@code 2/4}, the third of four.
   *
   * @throws IllegalArgumentException if the text has another form
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

  /** Returns the number of threads in this slice, of {@code threads} in all. */
  public int size(int threads) {
    return ceiling(part + 1, threads) - first(threads);
  }

  private int ceiling(int numerator, int threads) {
    return Math.toIntExact(((long) numerator * threads + parts - 1) / parts);
  }
}
