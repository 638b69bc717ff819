package kvrank.workload.random;

/** An order of the records [0, n): a bijection from places to records. */
public interface RecordOrder {

  /** The number of neighbouring records of {@link Distribution#TIMESTAMP} that are shuffled. */
  long STRETCH = 64;

  long record(long place);

  /**
   * Returns the order for {@code distribution}: ascending, descending, or shuffled. {@link
   * Distribution#TIMESTAMP} is the order of events under their time: ascending, with each stretch
   * of {@value #STRETCH} shuffled, because sources do not deliver in step.
   */
  static RecordOrder of(Distribution distribution, long records, long key) {
    return switch (distribution) {
      case SEQUENTIAL -> place -> place;
      case REVERSE -> place -> records - 1 - place;
      case TIMESTAMP -> stretches(records, key);
      case RANDOM, UNIFORM, ZIPFIAN, LATEST, HOTSPOT, EXPONENTIAL ->
          new Permutation(records, key)::of;
    };
  }

  private static RecordOrder stretches(long records, long key) {
    Permutation full = new Permutation(STRETCH, key);
    long whole = records - records % STRETCH;
    if (whole == records) {
      return place -> place - place % STRETCH + full.of(place % STRETCH);
    }
    Permutation rest = new Permutation(records - whole, key);
    return place ->
        place < whole
            ? place - place % STRETCH + full.of(place % STRETCH)
            : whole + rest.of(place - whole);
  }
}
