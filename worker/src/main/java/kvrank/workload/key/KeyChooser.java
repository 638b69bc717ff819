package kvrank.workload.key;

import java.util.function.LongUnaryOperator;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.random.Permutation;
import kvrank.workload.random.RecordOrder;
import kvrank.workload.random.Zipf;

/** Chooses records by a {@link Distribution}, in constant time and memory. */
public interface KeyChooser {

  /**
   * Returns a record in [0, known).
   *
   * @param walk the number of the thread's previous choices
   * @param random the draws of this choice
   * @param known the number of records that the thread assumes, at least those of the phase's start
   */
  long choose(long walk, CounterRandom random, long known);

  /**
   * Returns the chooser for {@code choice}.
   *
   * <p>A bijection that depends only on the seed scatters the ranks of Zipf and of the hot spot
   * over the records of the phase's start, so hot keys are the same in every phase; new records are
   * the coldest. {@code latest} and {@code exponential} count back from the newest record. Orders
   * walk over the records of the phase's start, thread by thread, again and again.
   *
   * @param records the number of records at the phase's start, at least 1
   */
  static KeyChooser of(KeyChoice choice, long records, long seed, int thread, int threads) {
    return switch (choice.distribution()) {
      case UNIFORM -> (walk, random, known) -> random.nextBelow(known);
      case ZIPFIAN -> {
        Zipf zipf = new Zipf(choice.exponent());
        Permutation scatter = scatter(records, seed);
        yield (walk, random, known) -> scattered(zipf.sample(random, known), scatter);
      }
      case LATEST -> {
        Zipf zipf = new Zipf(choice.exponent());
        yield (walk, random, known) -> known - 1 - zipf.sample(random, known);
      }
      case HOTSPOT -> hotspot(choice, records, scatter(records, seed));
      case EXPONENTIAL -> exponential(choice);
      case SEQUENTIAL, REVERSE, RANDOM, TIMESTAMP -> {
        long key = CounterRandom.key(seed, Purpose.ORDER, 0);
        RecordOrder order = RecordOrder.of(choice.distribution(), records, key);
        yield (walk, random, known) -> order.record((walk * threads + thread) % records);
      }
    };
  }

  /**
   * Returns the function from records to their ranks by popularity, 0 for the most popular one.
   *
   * @param newest whether newer records are more popular; otherwise ranks are scattered over the
   *     records, and new records are the least popular
   * @param records the number of records at the phase's start, at least 1
   */
  static LongUnaryOperator ranks(boolean newest, long records, long seed) {
    if (newest) {
      return id -> Math.max(0, records - 1 - id);
    }
    Permutation scatter = scatter(records, seed);
    return id -> id < records ? scatter.inverse(id) : id;
  }

  private static Permutation scatter(long records, long seed) {
    return new Permutation(records, CounterRandom.key(seed, Purpose.SCATTER, 0));
  }

  private static long scattered(long rank, Permutation scatter) {
    return rank < scatter.size() ? scatter.of(rank) : rank;
  }

  private static KeyChooser hotspot(KeyChoice choice, long records, Permutation scatter) {
    long hot = Math.min(records, Math.max(1, Math.round(records * choice.hotKeys())));
    double share = choice.hotOperations();
    return (walk, random, known) -> {
      boolean cold = random.nextDouble() >= share && known > hot;
      long rank = cold ? hot + random.nextBelow(known - hot) : random.nextBelow(hot);
      return scattered(rank, scatter);
    };
  }

  /**
   * Draws an exponential age, up to the oldest record: without that bound, the share {@code
   * hotOperations} of the distribution would be within the newest {@code hotKeys} of the records.
   */
  private static KeyChooser exponential(KeyChoice choice) {
    double gamma = -Math.log1p(-choice.hotOperations()) / choice.hotKeys();
    double within = -Math.expm1(-gamma);
    return (walk, random, known) -> {
      double share = -Math.log1p(-random.nextDouble() * within) / gamma;
      return known - 1 - Math.min(known - 1, (long) (share * known));
    };
  }
}
