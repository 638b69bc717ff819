package kvrank.workload;

import kvrank.workload.pace.ArrivalSchedule;
import kvrank.workload.pace.ConstantSchedule;
import kvrank.workload.pace.Pacing;
import kvrank.workload.pace.PoissonSchedule;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.request.Requests;

/**
 * What the requests of a phase depend on, beside the thread.
 *
 * @param seed the seed of the run
 * @param phase the name of the phase; another name gives other draws
 * @param mix the operations and what they are for; of a load, the order of the inserts
 * @param records the load: how many records; otherwise how many there are at the phase's start:
 *     those numbered [0, records)
 * @param threads the number of threads that share the work
 * @param batch the number of records in a request for point operations
 */
public record RequestPlan(
    long seed, String phase, OperationMix mix, long records, int threads, int batch) {

  /**
   * The requests of {@code thread} that insert every record once, whoever else inserts the rest.
   */
  public Requests load(int thread) {
    return new LoadRequests(this, thread);
  }

  /** The requests of {@code thread} that are drawn from the mix. */
  public MixRequests mix(int thread) {
    return new MixRequests(this, thread);
  }

  /**
   * Returns the intended starts of the requests of {@code thread}.
   *
   * @param pacing of an open loop
   * @param together the number of records whose intended start is the same
   */
  public ArrivalSchedule arrivalSchedule(Pacing pacing, int together, int thread) {
    double spacing = together * 1e9 / pacing.rate();
    return switch (pacing.arrivals()) {
      case CONSTANT -> new ConstantSchedule(spacing * threads, spacing * thread);
      case POISSON -> new PoissonSchedule(spacing * threads, key(Purpose.ARRIVAL, thread));
    };
  }

  /** A random key for one purpose of one thread in this phase. */
  long key(Purpose purpose, int thread) {
    long phaseSeed = CounterRandom.key(seed, Purpose.PHASE, phase.hashCode());
    return CounterRandom.key(phaseSeed, purpose, thread);
  }

  /**
   * The number of records that {@code thread} owns: those whose number is its own modulo threads.
   */
  public long owned(int thread) {
    return (records - thread + threads - 1) / threads;
  }
}
