package kvrank.workload.value;

/**
 * The format of values.
 *
 * @param kind random bytes or a JSON document
 * @param compressibility the share of a value that a general-purpose compressor removes, in [0, 1);
 *     ignored for {@link Kind#JSON}
 */
public record ValueShape(Kind kind, ValueSizes sizes, double compressibility, Ttl ttl) {

  public static final ValueShape DEFAULT = fixed(100);

  /** Values without a time to live. */
  public ValueShape(Kind kind, ValueSizes sizes, double compressibility) {
    this(kind, sizes, compressibility, Ttl.NONE);
  }

  public ValueShape with(Ttl other) {
    return new ValueShape(kind, sizes, compressibility, other);
  }

  public static ValueShape fixed(int bytes) {
    return new ValueShape(Kind.RANDOM, ValueSizes.fixed(bytes), 0);
  }

  public enum Kind {
    RANDOM(0, 16),
    JSON(96, 96);

    private final int smallest;
    private final int smallestVerifiable;

    Kind(int smallest, int smallestVerifiable) {
      this.smallest = smallest;
      this.smallestVerifiable = smallestVerifiable;
    }

    public int smallest() {
      return smallest;
    }

    /** Returns the fewest bytes that can state the record. */
    public int smallestVerifiable() {
      return smallestVerifiable;
    }
  }
}
