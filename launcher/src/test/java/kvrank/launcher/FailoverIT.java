package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary of a cluster is killed while it is measured, and its replica takes over. */
@Tag("few-at-a-time")
class FailoverIT extends InstalledKvrank {

  private static final int PRIMARIES = 3;

  /** Its slot, 15495, belongs to the third primary. */
  private static final String KEY = "a";

  /** How far the time without answers may be from what the probe sees. */
  private static final long TOLERATED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final List<RedisServer> servers = new ArrayList<>();

  /** Three primaries, each with a replica. */
  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < 2 * PRIMARIES; i++) {
      String options =
          "--cluster-enabled yes --cluster-node-timeout 2000 --cluster-port "
              + RedisServer.freePort();
      servers.add(RedisServer.start(home, options.split(" ", -1)));
    }
    RedisServer.cluster(home, servers, 1);
    for (RedisServer each : servers.subList(PRIMARIES, 2 * PRIMARIES)) {
      each.await("master_link_status:up", "INFO", "replication");
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (RedisServer each : servers) {
      each.close();
    }
  }

  @Test
  void theUnavailableTimeIsWhatAProbeSees() throws Exception {
    scenario(
        "failover",
        """
        question: How long is a cluster away?
        engines: [{engine: redis, as: cluster, server: {external: '%s,%s,%s'}}]
        fsync: as-is
        records: 2_000
        threads: 4
        phases: [load, {workload: set-get, as: failover, errors: allowed}]
        measure: {warmup: 0s, duration: 8s}
        repetitions: 1
        """
            .formatted(
                servers.get(0).address(), servers.get(1).address(), servers.get(2).address()));
    Execution execution = kvrank("run", "failover");
    execution.await("the phase", this::measures);

    long seen;
    long late;
    try (Probe probe = new Probe()) {
      servers.get(2).process().destroyForcibly();
      assertThat(execution.status()).as(execution.text()).isZero();
      seen = probe.longestNanos();
      late = probe.latestNanos();
    }

    assertThat(execution.text()).containsPattern("(?m)^ *rank .*unavailable time");
    String record = record("failover", "cluster.r1");
    long away = fact(record, "unavailable.longestNanos");
    assertThat(away).isPositive().isLessThanOrEqualTo(fact(record, "unavailable.nanos"));
    // How long a busy machine kept either side from running is not known to the other.
    long tolerated = TOLERATED_NANOS + late + fact(record, "hiccup.maxNanos");
    assertThat(away)
        .as("seen by the probe: %d ns", seen)
        .isBetween(seen - tolerated, seen + tolerated);
    // Each member may refuse one request of each thread: it learns by itself that the slots are
    // back.
    assertThat(fact(record, "repeated.records")).isBetween(1L, 4L * PRIMARIES);
    assertThat(record).contains("%s had 10923-16383, has none".formatted(servers.get(2).address()));
    assertThat(record).contains("\"status\" : \"completed\"").doesNotContain("\"status\" : \"f");
  }

  private boolean measures() {
    Path timeline = runFolder("failover", "cluster.r1").resolve("timeline.csv");
    try {
      return Files.exists(timeline)
          && Files.readAllLines(timeline).stream()
              .anyMatch(line -> line.matches("failover,.*,false,read,.*"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long fact(String record, String name) {
    List<Long> all =
        Pattern.compile("\"" + Pattern.quote(name) + "\" : \"(\\d+)\"")
            .matcher(record)
            .results()
            .map(match -> Long.valueOf(match.group(1)))
            .toList();
    assertThat(all).as(name).isNotEmpty();
    return all.get(all.size() - 1);
  }

  /** Asks for one key every 5 ms, whichever member has it. */
  private final class Probe implements AutoCloseable {

    private static final long PERIOD_MILLIS = 5;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);

    private final Thread thread = new Thread(this::ask, "probe");
    private volatile boolean over;
    private volatile long longest;
    private volatile long latest;

    Probe() {
      thread.start();
    }

    long longestNanos() {
      return longest;
    }

    /** The longest time by which it woke too late. */
    long latestNanos() {
      return latest;
    }

    private void ask() {
      long last = System.nanoTime();
      int owner = PRIMARIES - 1;
      while (!over) {
        if (has(owner)) {
          long now = System.nanoTime();
          longest = Math.max(longest, now - last);
          last = now;
        } else {
          owner = (owner + 1) % servers.size();
          if (owner > 0) {
            continue;
          }
        }
        try {
          long asleep = System.nanoTime();
          TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
          latest = Math.max(latest, System.nanoTime() - asleep - PERIOD_NANOS);
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    private boolean has(int server) {
      try {
        return servers.get(server).ask("EXISTS", KEY).equals("0");
      } catch (UncheckedIOException moved) {
        return false;
      }
    }

    /** The thread sees it within its period. */
    @Override
    public void close() {
      over = true;
    }
  }
}
