package kvrank.run.crash;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import kvrank.failure.Cause;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.host.ProvisionException;
import kvrank.results.CrashTrialResult;
import kvrank.scenario.CrashTest.Keep;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.workload.random.CounterRandom;

/**
 * The power cut of one crash. The disk stands still before the engine is killed, and answers again,
 * with errors, only when the signal was sent: otherwise a flush under way would still end.
 */
final class PowerLoss {

  /** How long the disk stands still before the engine is killed. */
  private static final Duration STANDSTILL = Duration.ofMillis(100);

  private final VolatileDisk disk;
  private final PowerCut cut;
  private final Keep keep;
  private final long seed;
  private final int clients;
  private long flushesBefore;
  private long syncsBefore;
  private boolean synced;
  private long flushes;
  private VolatileDisk.State unflushed;
  private long frozenNanos;
  private long acknowledged;
  private ProvisionException failure;

  /**
   * @param number of the cut among those of all repetitions, from 0
   * @param seed of the crash
   * @param clients the number of writes that can be in flight
   */
  PowerLoss(VolatileDisk disk, PowerCut cut, int number, long seed, int clients) {
    this.disk = disk;
    this.cut = cut;
    this.keep = cut.keep().get(number % cut.keep().size());
    this.seed = CounterRandom.at(seed, number) >>> 1;
    this.clients = clients;
  }

  /** Counts acknowledged writes. */
  interface Acknowledgements {
    long count() throws IOException;
  }

  /** Starts to count the flushes of the disk, and the syncs of others. */
  void begin() throws ProvisionException, InterruptedException {
    syncsBefore = disk.syncs();
    flushesBefore = disk.flushes();
  }

  /**
   * Makes the disk stand still, and counts what the engine acknowledges nevertheless. Returns the
   * time for which the disk had been busy before, in nanoseconds.
   */
  long freeze(Acknowledgements acknowledgements)
      throws IOException, InterruptedException, ProvisionException {
    unflushed = disk.freeze(keep);
    long start = System.nanoTime();
    long before = acknowledgements.count();
    Thread.sleep(STANDSTILL.toMillis());
    acknowledged = acknowledgements.count() - before;
    frozenNanos = System.nanoTime() - start;
    flushes = disk.flushes() - flushesBefore;
    return unflushed.busyNanos();
  }

  /** Lets everything that waits for the disk fail, after the engine was killed. */
  void cut() {
    try {
      disk.cut();
    } catch (ProvisionException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Throws if all file systems were synced before the cut, which made every write durable. */
  void refuseSyncs() throws ProvisionException {
    if (synced) {
      throw new ProvisionException(
          Cause.OUTSIDER,
          "all file systems of this machine were synced before the power cut, so it proves nothing;"
              + " stop the process that calls 'sync'");
    }
  }

  /** Throws if the disk has ended or had trouble, which is then why an engine failed on it. */
  void requireDisk() throws ProvisionException {
    disk.requireSound();
  }

  /**
   * Gives the disk its power again, and returns the facts of the cut.
   *
   * @param flushesNeeded for the acknowledged writes to be durable
   */
  CrashTrialResult.PowerCut recover(long flushesNeeded)
      throws InterruptedException, ProvisionException {
    if (failure != null) {
      throw failure;
    }
    synced = disk.syncs() > syncsBefore;
    VolatileDisk.Recovered recovered = disk.recover(keep, seed, cut.sectorBytes());
    return new CrashTrialResult.PowerCut(
        cut.fileSystem().label(),
        keep.label(),
        seed,
        cut.sectorBytes(),
        flushes,
        unflushed.writes(),
        unflushed.bytes(),
        recovered.sectors(),
        recovered.sectorsKept(),
        frozenNanos,
        acknowledged,
        clients,
        flushesNeeded,
        OptionalLong.of(cut.sync().toNanos()));
  }
}
