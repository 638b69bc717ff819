package kvrank.capture;

import java.util.Optional;
import java.util.OptionalDouble;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;

/**
 * The keys that clients ask for, and how popular each is. Clients also ask for keys that were
 * evicted or have expired, and these affect popularity.
 */
record Population(long keys, Optional<Skew> skew) {

  /** Iterations that fit the number of keys and their popularity in turn. */
  private static final int FITS = 3;

  /**
   * Fits both to what clients accessed.
   *
   * @param counted the number of keys that the server counts
   * @param grown whether that number grew
   * @param existing the number of keys that exist, if it is known
   * @param updates the number of writes
   */
  static Population of(
      Accesses accesses,
      long counted,
      boolean grown,
      Keeping keeping,
      Optional<Survival> survival,
      OptionalDouble existing,
      long updates) {
    long keys = counted;
    Optional<Skew> skew = Skew.of(accesses, keys, grown);
    for (int i = 0; i < FITS; i++) {
      KeyChoice choice = Skew.choiceOf(skew);
      if (keeping.evicts()) {
        keys = Skew.population(choice, counted, keeping.hitRatio());
        skew = Skew.of(accesses, keys, false);
      } else if (survival.isPresent()
          && skew.isPresent()
          && choice.distribution() != Distribution.LATEST) {
        keys =
            survival.get().population(choice, counted, existing, keeping.missesOfExpired(updates));
        skew = Skew.of(accesses, keys, false);
      }
    }
    return new Population(keys, skew);
  }
}
