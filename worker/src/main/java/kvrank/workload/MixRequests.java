package kvrank.workload;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import kvrank.workload.key.KeyChooser;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueSizes;

/**
 * One thread's requests of a mix.
 *
 * <p>The {@code n}-th new record of thread {@code t} is {@code records + n * threads + t}. A thread
 * assumes that the others have the same progress. A choice of a new record becomes the thread's own
 * one of the same turn: together the threads cover all new records, and none requests one before
 * its insert.
 *
 * <p>A mix with deletes and without drain keeps its population. With inserts, each thread stays
 * within {@link #tolerance} records of the start, or within a batch if that is more: at a bound, a
 * drawn operation becomes its opposite. Inserts without a deleted record add one of a limited
 * number of new ones. Without inserts, each delete is followed by a compensating insert.
 *
 * <p>Operations of a transaction come in its order instead of being drawn. Parts with the same name
 * use the record that the first of them chose.
 *
 * <p>The next request fills a miss with the value of the load, as a store behind a cache does:
 * every engine gets the same fills, only at other times.
 */
public final class MixRequests implements Requests {

  private final RequestPlan plan;
  private final int thread;
  private final Operation[] operations;
  private final long[] cumulative;
  private final KeyChooser chooser;
  private final CounterRandom operationDraws;
  private final CounterRandom keyDraws;
  private final CounterRandom scanDraws;
  private final ValueSizes.Lengths scanLengths;
  private final long versionKey;
  private final DeletedKeys deletedKeys;
  private final boolean inTurn;
  private final int[] namesakes;
  private final long[] named;
  private final boolean exchanges;
  private final boolean compensates;
  private final long mostMissing;
  private final long[] ids;
  private final long[] versions;
  private final Queue<Long> misses = new ArrayDeque<>();
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
    this.inTurn = !plan.mix().transaction().isEmpty();
    this.operations =
        inTurn
            ? plan.mix().requests().toArray(Operation[]::new)
            : plan.mix().weights().keySet().toArray(Operation[]::new);
    this.namesakes = namesakes(plan.mix().transaction());
    this.named = new long[namesakes.length];
    this.cumulative = new long[operations.length];
    long sum = 0;
    int next = 0;
    for (Map.Entry<Operation, Integer> weight : plan.mix().weights().entrySet()) {
      sum += weight.getValue();
      cumulative[next++] = sum;
    }
    this.operation = operations[0];
    KeyChooser each =
        KeyChooser.of(
            plan.mix().keys(), plan.records(), plan.seed(), thread - plan.first(), plan.alike());
    this.chooser = inTurn ? sharing(each) : each;
    this.operationDraws = new CounterRandom(plan.key(Purpose.OPERATION, thread));
    this.keyDraws = new CounterRandom(plan.key(Purpose.KEY, thread));
    this.scanDraws = new CounterRandom(plan.key(Purpose.SCAN, thread));
    this.scanLengths = plan.mix().scanRecords().lengths(1, id -> 0);
    this.versionKey = plan.key(Purpose.VERSION, thread);
    boolean held = !plan.mix().drain() && weighs(Operation.DELETE);
    this.exchanges = held && weighs(Operation.INSERT);
    this.compensates = held && !exchanges;
    long spare = exchanges ? tolerance(plan) : 0;
    this.deletedKeys = new DeletedKeys(plan, spare, thread, plan.key(Purpose.DELETE, thread));
    this.mostMissing = exchanges ? spare + Math.max(spare, plan.batch()) : Long.MAX_VALUE;
    this.ids = new long[plan.batch()];
    this.versions = new long[plan.batch()];
  }

  /** Returns for each request of a transaction the first one for the same record. */
  private static int[] namesakes(List<TransactionPart> parts) {
    List<String> names =
        parts.stream()
            .flatMap(part -> Collections.nCopies(part.times(), part.record()).stream())
            .toList();
    return IntStream.range(0, names.size())
        .map(i -> names.get(i).isEmpty() ? i : names.indexOf(names.get(i)))
        .toArray();
  }

  private boolean weighs(Operation asked) {
    return plan.mix().weights().containsKey(asked);
  }

  /**
   * Returns the largest distance of a thread's population from the start: 1 % of all records, or 0
   * if that is less than a batch per thread.
   */
  private static long tolerance(RequestPlan plan) {
    long tolerated = plan.records() / 100 / plan.threads();
    return tolerated < plan.batch() ? 0 : tolerated;
  }

  @Override
  public boolean next(int most) {
    if (!misses.isEmpty()) {
      compensating = true;
      operation = Operation.FILL;
      size = Math.min(ids.length, misses.size());
      for (int i = 0; i < size; i++) {
        ids[i] = misses.remove();
        versions[i] = Value.FIRST_VERSION;
      }
      return true;
    }
    compensating = compensates && deletedKeys.missing() > 0 && begins();
    if (compensating) {
      operation = Operation.INSERT;
      size = (int) Math.min(ids.length, deletedKeys.missing());
      insert();
      return true;
    }
    operation = draw();
    if (exchanges) {
      operation = exchanged(operation, Math.min(most, ids.length));
    }
    switch (operation) {
      case READ, READ_MISSING -> {
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
      case RANGE_SCAN, PREFIX_SCAN, ITERATE -> {
        size = 1;
        choose();
      }
      case INSERT -> {
        long room = exchanges ? deletedKeys.missing() : Long.MAX_VALUE;
        size = (int) Math.min(Math.min(most, ids.length), room);
        insert();
      }
      case DELETE -> {
        size = (int) Math.min(Math.min(most, ids.length), deletable());
        delete();
      }
      case FILL, TRANSACTION -> throw new IllegalStateException(operation + " is not drawn");
    }
    return size > 0;
  }

  /** Returns whether the next request is not in the middle of a transaction. */
  private boolean begins() {
    return !inTurn || drawn % operations.length == 0;
  }

  /** Returns a chooser that gives requests of a transaction the record of their first namesake. */
  private KeyChooser sharing(KeyChooser each) {
    return (walk, random, known) -> {
      int request = (int) ((drawn - 1) % operations.length);
      int first = namesakes[request];
      if (first < request) {
        chosen--; // this choice is left to the next request
        return named[first];
      }
      named[request] = each.choose(walk, random, known);
      return named[request];
    };
  }

  /** Returns the number of records that may be deleted before the next insert. */
  private long deletable() {
    return Math.min(deletedKeys.live(), mostMissing - deletedKeys.missing());
  }

  /** Returns {@code drawn}, or its opposite at a bound of the population. */
  private Operation exchanged(Operation drawn, int wanted) {
    long inserts = Math.min(wanted, deletedKeys.missing());
    long deletes = Math.min(wanted, deletable());
    return switch (drawn) {
      case INSERT -> inserts < deletes && inserts < wanted ? Operation.DELETE : Operation.INSERT;
      case DELETE -> deletes < inserts && deletes < wanted ? Operation.INSERT : Operation.DELETE;
      default -> drawn;
    };
  }

  /** Skips the next drawn request, or the next transaction; returns its operation. */
  public Operation skip() {
    if (inTurn) {
      drawn += operations.length;
      return Operation.TRANSACTION;
    }
    return draw();
  }

  private Operation draw() {
    long request = drawn++;
    if (operations.length == 1) {
      return operations[0];
    }
    if (inTurn) {
      return operations[(int) (request % operations.length)];
    }
    operationDraws.seek(request);
    long weight = operationDraws.nextBelow(cumulative[cumulative.length - 1]);
    // Counts the smaller sums without a branch, which would be unpredictable.
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
      ids[i] = exchanges || compensating ? deletedKeys.insert() : added(added++);
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
  public int scanRecords() {
    scanDraws.seek(drawn);
    return scanLengths.draw(0, scanDraws);
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

  @Override
  public void missed(long id) {
    if (plan.mix().fill()) {
      misses.add(id);
    }
  }

  /** Returns a number above every record of threads that are as far as this one. */
  public long end() {
    return plan.records() + Math.max(added, deletedKeys.spare()) * plan.threads();
  }

  /** Returns the number of records more than at the start; negative if there are fewer. */
  public long surplus() {
    return added + deletedKeys.surplus();
  }

  /** Returns the records of the phase's start that this thread deleted and did not restore. */
  public LongStream deletedNow() {
    return deletedKeys.deletedNow();
  }

  /**
   * Returns requests that restore the thread's population of the start: inserts of deleted records,
   * then deletes of new ones, the last first, so that an interruption leaves no gap.
   *
   * @param batch the largest number of records in a request
   */
  public List<Requests> restoration(int batch) {
    LongStream turns = LongStream.range(0, added).map(turn -> added - 1 - turn);
    LongStream extra = LongStream.concat(deletedKeys.addedNow(), turns.map(this::added));
    return List.of(
        requests(Operation.INSERT, deletedNow(), batch), requests(Operation.DELETE, extra, batch));
  }

  private static Requests requests(Operation operation, LongStream records, int batch) {
    long[] ids = records.toArray();
    return new RecordRequests(operation, turn -> ids[(int) turn], ids.length, batch);
  }
}
