package kvrank.workload;

import kvrank.workload.pace.ArrivalSchedule;
import kvrank.workload.pace.ConstantSchedule;
import kvrank.workload.pace.Pacing;
import kvrank.workload.pace.PoissonSchedule;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.random.RecordOrder;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;

/**
 * The thread-independent parameters of a phase's requests.
 *
 * @param phase its name, which seeds the draws
 * @param mix the operations; of a load, the order of the inserts
 * @param records of a load, the number of records; otherwise their number at the start of the phase
 * @param batch the number of records in a request for point operations
 * @param first the number of the first thread with this mix
 * @param alike the number of threads with this mix, which share its key order and arrivals
 */
public record RequestPlan(
    long seed,
    String phase,
    OperationMix mix,
    long records,
    int threads,
    int batch,
    int first,
    int alike) {

  /** A plan of threads that all have the same mix. */
  public RequestPlan(
      long seed, String phase, OperationMix mix, long records, int threads, int batch) {
    this(seed, phase, mix, records, threads, batch, 0, threads);
  }

  /** Returns the plan of the threads from {@code newFirst} on, with a mix of their own. */
  public RequestPlan of(OperationMix newMix, int newFirst, int number) {
    return new RequestPlan(seed, phase, newMix, records, threads, batch, newFirst, number);
  }

  /** Returns the thread's requests of a load; threads insert disjoint records. */
  public Requests load(int thread) {
    RecordOrder order = RecordOrder.of(mix.keys().distribution(), records, key(Purpose.ORDER, 0));
    return new RecordRequests(
        Operation.INSERT, turn -> order.record(turn * threads + thread), owned(thread), batch);
  }

  /** Returns the thread's requests of the mix. */
  public MixRequests mix(int thread) {
    return new MixRequests(this, thread);
  }

  /**
   * Returns the intended starts of the requests of {@code thread}.
   *
   * @param pacing of an open loop
   * @param together the number of records with the same intended start
   */
  public ArrivalSchedule arrivalSchedule(Pacing pacing, int together, int thread) {
    double spacing = together * 1e9 / pacing.rate();
    return switch (pacing.arrivals()) {
      case CONSTANT -> new ConstantSchedule(spacing * alike, spacing * (thread - first));
      case POISSON -> new PoissonSchedule(spacing * alike, key(Purpose.ARRIVAL, thread));
    };
  }

  /** Returns a random key for one purpose of one thread in this phase. */
  long key(Purpose purpose, int thread) {
    long phaseSeed = CounterRandom.key(seed, Purpose.PHASE, phase.hashCode());
    return CounterRandom.key(phaseSeed, purpose, thread);
  }

  /** Returns the number of records that equal {@code thread} modulo threads. */
  public long owned(int thread) {
    return (records - thread + threads - 1) / threads;
  }
}
