package kvrank.workload.value;

/**
 * What a value looks like.
 *
 * @param kind random bytes of the asked compressibility, or a JSON document
 * @param sizes how long values are
 * @param compressibility the share of a value that a general-purpose compressor removes, in [0, 1);
 *     ignored for {@link Kind#JSON}
 * @param ttl which of them the engine is to forget
 */
public record ValueShape(Kind kind, ValueSizes sizes, double compressibility, Ttl ttl) {

  /** Incompressible values of 100 bytes. */
  public static final ValueShape DEFAULT = fixed(100);

  /** Values that stay. */
  public ValueShape(Kind kind, ValueSizes sizes, double compressibility) {
    this(kind, sizes, compressibility, Ttl.NONE);
  }

  /** Returns such values with these times to live. */
  public ValueShape with(Ttl other) {
    return new ValueShape(kind, sizes, compressibility, other);
  }

  /** Incompressible values of {@code bytes} bytes each. */
  public static ValueShape fixed(int bytes) {
    return new ValueShape(Kind.RANDOM, ValueSizes.fixed(bytes), 0);
  }

  /** What the bytes of a value are. */
  public enum Kind {
    RANDOM(0, 16),
    JSON(96, 96);

    private final int smallest;
    private final int smallestVerifiable;

    Kind(int smallest, int smallestVerifiable) {
      this.smallest = smallest;
      this.smallestVerifiable = smallestVerifiable;
    }

    /** The fewest bytes that a value of this kind can have. */
    public int smallest() {
      return smallest;
    }

    /** The fewest bytes with which a value says which record it belongs to. */
    public int smallestVerifiable() {
      return smallestVerifiable;
    }
  }
}
