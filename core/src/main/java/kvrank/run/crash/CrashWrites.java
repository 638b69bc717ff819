package kvrank.run.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import kvrank.fact.Fact;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ConnectionWatch;
import kvrank.provision.server.Server;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.run.worker.BrokenException;
import kvrank.run.worker.WorkerProcess;
import kvrank.worker.check.AckCounters;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.ClientSettings;

/**
 * The writes of a crash test until the engine is killed, a {@code life} after the first
 * acknowledgement.
 *
 * @param folder with the worker's ack counters
 * @param embedded whether the engine runs in the worker
 * @param hidden who ended the attempts of all crashes that ended after the kill
 */
record CrashWrites(
    Path folder, ClientSettings clients, Duration life, boolean embedded, List<Cause> hidden) {

  private static final Duration POLL = Duration.ofMillis(100);

  /** How often the controller wakes up during the writes, to notice a {@link Standstills pause}. */
  private static final Duration LOOK = Duration.ofMillis(10);

  private static final Duration ACKNOWLEDGEMENT_LOOK = Duration.ofNanos(20_000);

  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(10);

  /** How long the kill is delayed at most, until a write is acknowledged. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  /**
   * How the engine was killed.
   *
   * @param nanos when, or when the disk stopped flushing; if the engine waited for the disk then,
   *     when it began to
   * @param standstills before that
   * @param lately writes acknowledged shortly before
   * @param counts the acknowledged writes of each client
   * @param others the connections of others to a server without a password, if they are counted
   */
  record Killed(
      String ending,
      long nanos,
      Standstills standstills,
      long lately,
      List<Long> counts,
      long others) {

    long acknowledged() {
      return counts.stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the age of a write; a standstill does not add to it, since nothing ran. */
    long age(long acknowledgedNanos) {
      return standstills.awakeNanos(acknowledgedNanos, nanos);
    }

    Crash crash(
        OptionalLong restart,
        Optional<LostWrites> losses,
        String reason,
        Optional<CrashTrialResult.PowerCut> powerCut) {
      OptionalLong late = OptionalLong.of(lately);
      return new Crash(
          ending, acknowledged(), restart, losses, reason, powerCut, late, List.of(), List.of());
    }
  }

  /** Kills the engine while {@code worker} writes. */
  Killed untilKilled(
      WorkerProcess worker, Server server, ConnectionWatch watch, Optional<PowerLoss> loss)
      throws IOException, InterruptedException, ProvisionException, BrokenException {
    worker.await(WorkerMessage.Ready.class, server, CrashTrials.ANSWER, message -> {});
    worker.tell(new WorkerCommand.Start("crash"));
    WorkerMessage.Measuring first =
        worker.await(WorkerMessage.Measuring.class, server, CrashTrials.ANSWER, message -> {});
    watch.begin();
    Standstills standstills = new Standstills(first.nanos());
    long end = System.nanoTime() + life.toNanos();
    if (loss.isPresent()) {
      loss.get().begin();
    }
    awaitUnderLoad(worker, server, end - Crash.LATELY.toNanos(), standstills);
    long before = acknowledged();
    awaitUnderLoad(worker, server, end, standstills);
    worker.refuseDeath(server);
    before = awaitAcknowledgements(before, standstills);
    worker.refuseDeath(server);
    CrashBlame.refuseOthers(watch.end());
    OptionalLong connections = server.clients();
    long lately = acknowledged() - before;
    long now = System.nanoTime();
    standstills.awake(now, acknowledged());
    long nanos = now;
    if (loss.isPresent()) {
      long silent = now - Math.max(first.nanos(), lastAcknowledged());
      nanos -= Math.min(loss.get().freeze(this::acknowledged), silent);
    }
    Runnable sent = () -> loss.ifPresent(PowerLoss::cut);
    if (embedded) {
      String ending = "the worker JVM, which runs it, " + worker.kill(sent);
      return new Killed(ending, nanos, standstills, lately, counters(), 0);
    }
    String ending = server.kill(sent);
    List<Long> counts = counted(worker);
    long others = connections.isEmpty() ? 0 : others(connections.getAsLong(), worker);
    return new Killed(ending, nanos, standstills, lately, counts, others);
  }

  /** Returns the number of connections that are not the worker's, once its phase is over. */
  private static long others(long connections, WorkerProcess worker) throws InterruptedException {
    long deadline = System.nanoTime() + CLIENT_PATIENCE.toNanos();
    while (!worker.dead() && System.nanoTime() < deadline) {
      Optional<WorkerMessage> message = worker.next(POLL);
      if (message.isPresent() && message.get() instanceof WorkerMessage.Finished finished) {
        long own = finished.result().facts().count(Fact.CONNECTIONS_OPENED);
        return own == 0 ? 0 : Math.max(0, connections - own);
      }
    }
    return 0;
  }

  /**
   * Waits for a random number of further acknowledgements, after which most is at stake: an engine
   * may acknowledge in bursts, and sync between them. Returns {@code before}, or the number at the
   * start of a long wait.
   */
  private long awaitAcknowledgements(long before, Standstills standstills) throws IOException {
    long start = System.nanoTime();
    long first = acknowledged();
    long last = first + 1 + CrashTrials.RANDOM.nextInt(Crash.ENOUGH);
    for (long now = first;
        now < last && System.nanoTime() - start < LONGEST_DELAY.toNanos();
        now = acknowledged()) {
      standstills.awake(System.nanoTime(), now);
      LockSupport.parkNanos(ACKNOWLEDGEMENT_LOOK.toNanos());
    }
    return System.nanoTime() - start > Crash.LATELY.toNanos() ? first : before;
  }

  private void awaitUnderLoad(
      WorkerProcess worker, Server server, long end, Standstills standstills)
      throws InterruptedException, IOException, BrokenException {
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      standstills.awake(now, acknowledged());
      Duration wait = Duration.ofNanos(Math.min(end - now, LOOK.toNanos()));
      Optional<WorkerMessage> message = worker.next(wait);
      if (message.isPresent() && !(message.get() instanceof WorkerMessage.Progress)) {
        Failure failure = worker.explained(WorkerProcess.why(message.get()), server);
        String text = "it was not under load: the writes ended, " + failure.message();
        throw new BrokenException(new Failure(failure.cause(), text));
      }
    }
  }

  private long acknowledged() throws IOException {
    return counters().stream().mapToLong(Long::longValue).sum();
  }

  private long lastAcknowledged() throws IOException {
    return AckCounters.last(folder, clients.threads());
  }

  private List<Long> counters() throws IOException {
    return AckCounters.of(folder, clients.threads());
  }

  /**
   * Returns the acknowledged writes of each client, some of which may have been on their way. The
   * worker sends them, since a server can change a file.
   */
  private List<Long> counted(WorkerProcess worker)
      throws IOException, InterruptedException, BrokenException {
    long deadline = System.nanoTime() + CLIENT_PATIENCE.toNanos();
    while (!worker.dead() && System.nanoTime() < deadline) {
      Optional<WorkerMessage> message = worker.next(POLL);
      if (message.isPresent() && message.get() instanceof WorkerMessage.WritesEnded ended) {
        if (ended.acknowledged().equals(counters())) {
          return ended.acknowledged();
        }
        hidden.add(Cause.OUTSIDER);
        String text = "another process changed the ack counters in '%s'".formatted(folder);
        throw new BrokenException(new Failure(Cause.OUTSIDER, text));
      }
    }
    hidden.add(Cause.HARNESS);
    String text = "the worker did not report its acknowledged writes";
    throw new BrokenException(new Failure(Cause.HARNESS, text));
  }
}
