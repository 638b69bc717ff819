package kvrank.workload;

/** An order in which the records [0, n) arrive: a bijection from arrivals to records. */
interface ArrivalOrder {

  /** How many records of {@link Distribution#TIMESTAMP} may arrive out of order. */
  long STRETCH = 64;

  /** The record that arrives as number {@code arrival}, which is in [0, n). */
  long record(long arrival);

  /**
   * The order that {@code distribution} stands for: ascending, descending, or in no order, which is
   * also that of the distributions that are no order. {@link Distribution#TIMESTAMP} is the order
   * of events that are stored under their time: ascending, with the records of each stretch of
   * {@value #STRETCH} shuffled, because no two sources deliver in step.
   */
  static ArrivalOrder of(Distribution distribution, long records, long key) {
    return switch (distribution) {
      case SEQUENTIAL -> arrival -> arrival;
      case REVERSE -> arrival -> records - 1 - arrival;
      case TIMESTAMP -> stretches(records, key);
      case RANDOM, UNIFORM, ZIPFIAN, LATEST, HOTSPOT, EXPONENTIAL ->
          new Permutation(records, key)::of;
    };
  }

  private static ArrivalOrder stretches(long records, long key) {
    Permutation full = new Permutation(STRETCH, key);
    long whole = records - records % STRETCH;
    if (whole == records) {
      return arrival -> arrival - arrival % STRETCH + full.of(arrival % STRETCH);
    }
    Permutation rest = new Permutation(records - whole, key);
    return arrival ->
        arrival < whole
            ? arrival - arrival % STRETCH + full.of(arrival % STRETCH)
            : whole + rest.of(arrival - whole);
  }
}
