package kvrank.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A file system with one file, the disk, which a loop device turns into a block device. Its state
 * decides when requests are answered. After a loss of power, the disk continues as a new file: the
 * old one gives errors forever, so that a late writer of the old one cannot reach the new one.
 */
final class Disk {

  /** What the disk does with requests. */
  private enum State {
    /** It answers. */
    LIVE,
    /** Flushes wait, and the others are answered. */
    HOLD,
    /** All wait. */
    FROZEN,
    /** All get an error. */
    DEAD
  }

  /** How long requests may wait: they block every {@code sync} on the machine. */
  static final Duration LONGEST_WAIT = Duration.ofMillis(1_500);

  /** How often {@link #cutIfStuck} runs while it waits. */
  private static final Duration AWAKE = Duration.ofMillis(50);

  /** How much of a flush is done at once; meanwhile, the disk can be frozen. */
  private static final long STEP = 1 << 20;

  /** A flush that waits, and the last write before it. */
  private record Flush(long unique, long upTo, long due) {}

  /** Requests that follow each other within this time keep the disk busy, on a busy machine too. */
  private static final long PAUSE_NANOS = Duration.ofMillis(500).toNanos();

  /** What the disk served so far. */
  record Served(long writes, long flushes) {}

  private final WriteCache cache;
  private final long size;
  private final Duration latency;
  private final FuseReplies replies;
  private final Consumer<String> trouble;

  /** Fair, so that a long flush lets others pass. */
  private final ReentrantLock lock = new ReentrantLock(true);

  private final Condition changed = lock.newCondition();
  private State state = State.LIVE;

  /** The node of the file that is the disk now; its name ends with it. */
  private long node = FuseReplies.ROOT + 1;

  private final ArrayDeque<Flush> flushes = new ArrayDeque<>();
  private long flushed;
  private long writes;
  private long standstill;

  /** Since when there was no pause before this time. */
  private long busySince = System.nanoTime();

  private long busyUntil = busySince;

  private long busyNanos;

  /**
   * Creates a disk with power.
   *
   * @param size in bytes
   * @param latency how long a flush takes
   * @param trouble receives what goes wrong, before anyone sees its effect
   */
  Disk(
      WriteCache cache,
      long size,
      Duration latency,
      FuseReplies replies,
      Consumer<String> trouble) {
    this.cache = cache;
    this.size = size;
    this.latency = latency;
    this.replies = replies;
    this.trouble = trouble;
  }

  /** Answers a request; waits while the disk is frozen, so that further ones stay in the kernel. */
  void accept(FuseRequest request) throws InterruptedException {
    lock.lock();
    try {
      while (state == State.FROZEN) {
        changed.await();
      }
      busy();
      answer(request);
      busy();
    } finally {
      lock.unlock();
    }
  }

  private void busy() {
    long now = System.nanoTime();
    if (now - busyUntil > PAUSE_NANOS && flushes.isEmpty()) {
      busySince = now;
    }
    busyUntil = now;
  }

  private void answer(FuseRequest request) {
    long unique = request.unique();
    switch (request.operation()) {
      case FuseRequest.INIT -> replies.init(request);
      case FuseRequest.LOOKUP -> {
        if (request.name().equals(name())) {
          replies.entry(unique, node, size);
        } else {
          replies.error(unique, FuseReplies.NO_ENTRY);
        }
      }
      case FuseRequest.GETATTR, FuseRequest.SETATTR ->
          replies.attributes(unique, request.node(), size);
      case FuseRequest.OPEN -> replies.opened(unique);
      case FuseRequest.READ, FuseRequest.WRITE, FuseRequest.FSYNC -> transfer(request);
      case FuseRequest.RELEASE, FuseRequest.DESTROY -> replies.done(unique);
      case FuseRequest.FORGET, FuseRequest.BATCH_FORGET, FuseRequest.INTERRUPT -> {
        // They have no answer.
      }
      default -> replies.error(unique, FuseReplies.NOT_IMPLEMENTED);
    }
  }

  private void transfer(FuseRequest request) {
    long unique = request.unique();
    if (state == State.DEAD || request.node() != node) {
      replies.error(unique, FuseReplies.INPUT_OUTPUT);
      return;
    }
    try {
      switch (request.operation()) {
        case FuseRequest.FSYNC -> flush(unique);
        case FuseRequest.WRITE -> {
          cache.write(request.offset(), request.data());
          writes++;
          replies.written(unique, request.size());
        }
        default -> {
          ByteBuffer out = replies.begin();
          cache.read(request.offset(), out.limit(out.position() + request.size()));
          replies.send(unique);
        }
      }
    } catch (IOException e) {
      fail(unique, e);
    }
  }

  private void flush(long unique) throws IOException {
    long upTo = cache.written();
    if (state == State.LIVE && latency.isZero() && flushes.isEmpty() && cache.flush(upTo, STEP)) {
      flushed(unique);
    } else {
      flushes.add(new Flush(unique, upTo, System.nanoTime() + latency.toNanos()));
      changed.signalAll();
    }
  }

  private void flushed(long unique) {
    flushed++;
    replies.done(unique);
  }

  /** Never acknowledges what the disk does not have. */
  private void fail(long unique, IOException e) {
    String reason = e.getMessage() == null ? e.toString() : e.getMessage();
    trouble.accept("a file behind the disk cannot be used: " + reason);
    replies.error(unique, FuseReplies.INPUT_OUTPUT);
  }

  /** Serves flushes that take time, in a thread of its own, until it is interrupted. */
  void serveFlushes() throws InterruptedException {
    while (true) {
      long due;
      lock.lock();
      try {
        while (flushes.isEmpty() || state != State.LIVE) {
          changed.await();
        }
        due = flushes.peek().due;
        if (due - System.nanoTime() <= 0) {
          serve(flushes.peek());
        }
      } finally {
        lock.unlock();
      }
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }

  /** Does a step of the oldest flush: if the power goes before the last, it is not acknowledged. */
  private void serve(Flush flush) {
    try {
      if (!cache.flush(flush.upTo, STEP)) {
        return;
      }
      flushed(flush.unique);
    } catch (IOException e) {
      fail(flush.unique, e);
    }
    busy();
    flushes.remove();
  }

  /** Returns the name of the file that is the disk now. */
  String name() {
    lock.lock();
    try {
      return "disk-" + node;
    } finally {
      lock.unlock();
    }
  }

  Served served() {
    lock.lock();
    try {
      return new Served(writes, flushed);
    } finally {
      lock.unlock();
    }
  }

  /** Lets flushes wait. */
  void hold() {
    stand(State.HOLD);
  }

  /** Lets all requests wait, and returns the amount that is not flushed. */
  WriteCache.Unflushed freeze() {
    return stand(State.FROZEN);
  }

  /** Returns the time with requests, without a pause, before it began to stand still. */
  long busyNanos() {
    lock.lock();
    try {
      return busyNanos;
    } finally {
      lock.unlock();
    }
  }

  private WriteCache.Unflushed stand(State next) {
    lock.lock();
    try {
      if (state == State.DEAD) {
        throw new IllegalStateException("the disk has no power");
      }
      if (state == State.LIVE) {
        standstill = System.nanoTime();
        boolean busy = standstill - busyUntil <= PAUSE_NANOS || !flushes.isEmpty();
        busyNanos = busy ? standstill - busySince : 0;
      }
      state = next;
      return cache.unflushed();
    } finally {
      lock.unlock();
    }
  }

  /** Cuts the power: all requests get an error. Returns whether it was on. */
  boolean cut() {
    lock.lock();
    try {
      boolean on = state != State.DEAD;
      state = State.DEAD;
      flushes.forEach(flush -> replies.error(flush.unique, FuseReplies.INPUT_OUTPUT));
      flushes.clear();
      changed.signalAll();
      return on;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Cuts the power if requests have waited too long, and returns whether it did.
   *
   * @param patience after which a request that is being answered will never be
   */
  boolean cutIfStuck(Duration patience) throws IOException, InterruptedException {
    long start = System.nanoTime();
    // A thread that ran is how the watchdog distinguishes a slow disk from one that stands still.
    while (!lock.tryLock(AWAKE.toNanos(), TimeUnit.NANOSECONDS)) {
      if (System.nanoTime() - start > patience.toNanos()) {
        throw new IOException(
            "an answer took more than %d s: the machine lacks memory, or its disk stands still"
                .formatted(patience.toSeconds()));
      }
    }
    try {
      boolean stuck =
          (state == State.HOLD || state == State.FROZEN)
              && System.nanoTime() - standstill > LONGEST_WAIT.toNanos();
      if (stuck) {
        trouble.accept("requests waited for %d ms".formatted(LONGEST_WAIT.toMillis()));
        cut();
      }
      return stuck;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a disk its power again, as a new file, with half of what was not flushed or none. */
  WriteCache.Recovered recover(boolean half, long seed, int sectorBytes) throws IOException {
    requireDead();
    // Nothing else uses the cache of a disk without power.
    WriteCache.Recovered recovered = cache.recover(half, seed, sectorBytes);
    lock.lock();
    try {
      node++;
      state = State.LIVE;
      return recovered;
    } finally {
      lock.unlock();
    }
  }

  private void requireDead() {
    lock.lock();
    try {
      if (state != State.DEAD) {
        throw new IllegalStateException("the disk has power");
      }
    } finally {
      lock.unlock();
    }
  }
}
