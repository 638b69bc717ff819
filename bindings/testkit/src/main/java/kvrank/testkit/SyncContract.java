package kvrank.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import kvrank.engine.Fsync;
import kvrank.provision.server.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.DB;

/** How often an embedded engine asks the system to sync, as strace sees it. */
interface SyncContract {

  Subject subject();

  /** This many syncs come from a timer, and not from files that the engine created once. */
  int TICKS = 12;

  /** The calls of one insert on one thread with fsync on. */
  int syncsPerInsert();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  default void everyInsertIsSyncedOrNoneIs() throws Exception {
    if (!subject().embedded()) {
      abort("an engine with a server is not in this process");
    }
    for (Fsync fsync : subject().levels()) {
      assertSyncs(fsync);
    }
  }

  private void assertSyncs(Fsync fsync) throws Exception {
    int inserts = 100;
    long syncs;
    try (Server server = subject().startServer(fsync)) {
      DB binding = subject().open(server, server.connection(), fsync);
      Path log = Path.of("target", "contract", UUID.randomUUID() + ".strace").toAbsolutePath();
      try (SyncTrace trace = SyncTrace.ofThisProcess(log)) {
        for (int i = 0; i < inserts || (timed(fsync) && trace.count() < TICKS); i++) {
          Records.insert(binding, "key" + i);
          inserts = Math.max(inserts, i);
        }
        syncs = trace.stop();
      }
      binding.cleanup();
    }
    long expected = fsync.equals(Fsync.ON) ? (long) inserts * syncsPerInsert() : 0;
    System.out.printf(
        "%s, fsync %s: %d inserts, %d calls%n", subject(), fsync.label(), inserts, syncs);
    if (timed(fsync)) {
      assertThat(syncs).as("%s, fsync %s", subject(), fsync.label()).isLessThan(inserts);
      return;
    }
    // A few are of files that the engine made meanwhile.
    assertThat(syncs)
        .as("%s, fsync %s", subject(), fsync.label())
        .isBetween(expected, expected + 10);
  }

  private static boolean timed(Fsync fsync) {
    return fsync.kind() == Fsync.Kind.EVERY;
  }
}
