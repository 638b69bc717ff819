package kvrank.workload;

import java.util.Map;
import kvrank.workload.CounterRandom.Purpose;

/**
 * One thread's requests of a mix.
 *
 * <p>New records get the numbers after those of the phase's start, the threads in turn: the {@code
 * n}-th new record of thread {@code t} is {@code records + n * threads + t}. A thread knows only
 * its own progress and takes the others to be as far. Where a choice falls on a new record, it is
 * the thread's own of the same turn: together the threads cover all new records, and none is asked
 * for before it was inserted.
 *
 * <p>Without drain, deletes and inserts hold the population steady: an insert brings back the
 * record that has been dead for longest, and adds a new one only if none is dead. If more are dead
 * than {@link #tolerated}, deletes are followed by compensating inserts.
 */
public final class MixRequests implements Requests {

  private final RequestPlan plan;
  private final int thread;
  private final Operation[] operations;
  private final int[] cumulative;
  private final KeyChooser chooser;
  private final CounterRandom operationDraws;
  private final CounterRandom keyDraws;
  private final long versionKey;
  private final DeletedKeys deletedKeys;
  private final long tolerated;
  private final long[] ids;
  private final long[] versions;
  private long drawn;
  private long chosen;
  private long added;
  private long written;
  private Operation operation;
  private int size;
  private boolean compensating;

  MixRequests(RequestPlan plan, int thread) {
    this.plan = plan;
    this.thread = thread;
    this.operations = plan.mix().weights().keySet().toArray(Operation[]::new);
    this.cumulative = new int[operations.length];
    int sum = 0;
    int next = 0;
    for (Map.Entry<Operation, Integer> weight : plan.mix().weights().entrySet()) {
      sum = Math.addExact(sum, weight.getValue());
      cumulative[next++] = sum;
    }
    this.operation = operations[0];
    this.chooser =
        KeyChooser.of(plan.mix().keys(), plan.records(), plan.seed(), thread, plan.threads());
    this.operationDraws = new CounterRandom(plan.key(Purpose.OPERATION, thread));
    this.keyDraws = new CounterRandom(plan.key(Purpose.KEY, thread));
    this.versionKey = plan.key(Purpose.VERSION, thread);
    this.deletedKeys =
        new DeletedKeys(
            plan.owned(thread), thread, plan.threads(), plan.key(Purpose.DELETE, thread));
    this.tolerated = tolerated(plan, deletedKeys.owned());
    this.ids = new long[plan.batch()];
    this.versions = new long[plan.batch()];
  }

  /**
   * How many of a thread's records may be dead before deletes are compensated for: none if nothing
   * in the mix inserts, else about one in a hundred, so that inserts are mostly re-inserts.
   */
  private static long tolerated(RequestPlan plan, long owned) {
    if (plan.mix().drain()) {
      return Long.MAX_VALUE;
    }
    if (!plan.mix().weights().containsKey(Operation.INSERT)) {
      return 0;
    }
    return Math.max(0, Math.min(owned - 1, Math.max(16, owned / 100)));
  }

  @Override
  public boolean next(int most) {
    compensating = deletedKeys.dead() > tolerated;
    if (compensating) {
      operation = Operation.INSERT;
      size = (int) Math.min(ids.length, deletedKeys.dead() - tolerated);
      insert();
      return true;
    }
    operation = draw();
    switch (operation) {
      case READ -> {
        size = Math.min(most, ids.length);
        choose();
      }
      case UPDATE -> {
        size = Math.min(most, ids.length);
        choose();
        version();
      }
      case READ_MODIFY_WRITE -> {
        size = 1;
        choose();
        version();
      }
      case RANGE_SCAN, PREFIX_SCAN -> {
        size = 1;
        choose();
      }
      case INSERT -> {
        size = Math.min(most, ids.length);
        insert();
      }
      case DELETE -> {
        size = (int) Math.min(Math.min(most, ids.length), deletedKeys.live());
        delete();
      }
    }
    return size > 0;
  }

  /** Moves past the next request that is drawn, which is not done, and says what it asks. */
  public Operation skip() {
    return draw();
  }

  private Operation draw() {
    long request = drawn++;
    if (operations.length == 1) {
      return operations[0];
    }
    operationDraws.seek(request);
    long weight = operationDraws.nextBelow(cumulative[cumulative.length - 1]);
    // How many of the sums are not above it, without a branch that nobody could predict.
    int index = 0;
    for (int i = 0; i < cumulative.length - 1; i++) {
      index += (int) ((cumulative[i] - 1 - weight) >>> (Long.SIZE - 1));
    }
    return operations[index];
  }

  private void choose() {
    long known = plan.records() + added * plan.threads();
    for (int i = 0; i < size; i++) {
      keyDraws.seek(chosen);
      long id = chooser.choose(chosen, keyDraws, known);
      chosen++;
      ids[i] = id < plan.records() ? id : added((id - plan.records()) / plan.threads());
    }
  }

  private void insert() {
    for (int i = 0; i < size; i++) {
      boolean restores = !plan.mix().drain() && deletedKeys.dead() > 0;
      ids[i] = restores ? deletedKeys.restore() : added(added++);
    }
    version();
  }

  private void delete() {
    for (int i = 0; i < size; i++) {
      ids[i] = deletedKeys.delete();
    }
  }

  private void version() {
    for (int i = 0; i < size; i++) {
      versions[i] = CounterRandom.at(versionKey, written++);
    }
  }

  private long added(long turn) {
    return plan.records() + turn * plan.threads() + thread;
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long id(int i) {
    return ids[i];
  }

  @Override
  public long version(int i) {
    return versions[i];
  }

  @Override
  public boolean compensating() {
    return compensating;
  }

  /** The number of records that this thread deleted and that are still missing. */
  public long dead() {
    return deletedKeys.dead();
  }

  /** One more than the greatest number of a record that is there as far as this thread knows. */
  public long end() {
    return added == 0 ? plan.records() : added(added - 1) + 1;
  }

  /**
   * Inserts that make the records [0, end) complete again as far as this thread has to do it: those
   * that it deleted, unless the plan is to drain, and those that it did not get round to adding.
   */
  public Requests restoration(long end) {
    return new Restoration(end);
  }

  private final class Restoration implements Requests {

    private final long end;
    private final long[] missing = new long[plan.batch()];
    private int count;

    private Restoration(long end) {
      this.end = end;
    }

    @Override
    public boolean next(int most) {
      int room = Math.min(most, missing.length);
      count = 0;
      while (count < room && !plan.mix().drain() && deletedKeys.dead() > 0) {
        missing[count++] = deletedKeys.restore();
      }
      while (count < room && added(added) < end) {
        missing[count++] = added(added++);
      }
      return count > 0;
    }

    @Override
    public Operation operation() {
      return Operation.INSERT;
    }

    @Override
    public int size() {
      return count;
    }

    @Override
    public long id(int i) {
      return missing[i];
    }

    @Override
    public long version(int i) {
      return Value.FIRST_VERSION;
    }
  }
}
