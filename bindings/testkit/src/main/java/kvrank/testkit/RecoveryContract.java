package kvrank.testkit;

import static kvrank.testkit.Records.TABLE;
import static kvrank.testkit.Records.bytes;
import static kvrank.testkit.Records.record;
import static kvrank.testkit.Records.source;
import static kvrank.testkit.Records.valueFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvrank.binding.BatchOperations;
import kvrank.binding.Multiplexed;
import kvrank.binding.Pipelined;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.provision.server.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** A server that dies and comes back. */
interface RecoveryContract {

  Subject subject();

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  default void aServerThatDiesIsAnErrorUntilItIsBack() throws Exception {
    onlyForServers();
    try (Relay relay = Relay.closed()) {
      DB binding;
      Server gone;
      String key = subject().freshKey();
      try (Server server = subject().startServer(subject().least())) {
        relay.open(server.connection());
        gone = server;
        binding = subject().open(server, relay.connection(server.connection()), subject().least());
        Records.insert(binding, key);
        kill(server);
        assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.ERROR);
        // The address of a container that is gone may soon be another one's.
        relay.cut();
        assertEverythingFails(binding, key);
      }
      try (Server server = subject().startServerFor(gone)) {
        relay.open(server.connection());
        // The first request may still meet the old connection.
        Status first = binding.insert(TABLE, key, record(valueFor(key)));
        assertThat(first).isIn(Status.OK, Status.ERROR);
        for (int i = 0; i < 100; i++) {
          Records.insert(binding, key + i);
          assertThat(Records.read(binding, key + i)).isEqualTo(valueFor(key + i));
        }
        binding.cleanup();
      }
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  default void requestsInFlightAreErrorsWhenTheServerDies() throws Exception {
    onlyForServers();
    try (Relay relay = Relay.closed();
        Server server = subject().startServer(subject().least())) {
      relay.open(server.connection());
      DB binding = subject().open(server, relay.connection(server.connection()), subject().least());
      if (!(binding instanceof Pipelined pipeline)) {
        return;
      }
      String key = subject().freshKey();
      kill(server);
      relay.cut();
      for (int i = 0; i < 10; i++) {
        pipeline.sendInsert(bytes(key + i), source(valueFor(key)));
      }
      if (binding instanceof Multiplexed connection) {
        connection.flush();
      }
      for (int i = 0; i < 10; i++) {
        assertThat(pipeline.receive(null)).isEqualTo(Status.ERROR);
      }
      binding.cleanup();
    }
  }

  @Test
  default void aServerThatIsNotThereIsSaidSo() throws Exception {
    onlyForServers();
    try (Relay relay = Relay.closed()) {
      assertThatThrownBy(
              () ->
                  subject()
                      .open(
                          subject().server(),
                          relay.connection(subject().server().connection()),
                          subject().least()))
          .isInstanceOf(DBException.class)
          .hasMessageContaining("127.0.0.1")
          .hasMessageContaining("refused");
    }
  }

  private void onlyForServers() {
    if (subject().embedded()) {
      String reason = "an embedded engine has no server that could die without this JVM";
      System.out.println("not applicable to " + subject() + ": " + reason);
      abort(reason);
    }
  }

  private static void kill(Server server) throws InterruptedException {
    ProcessHandle process = ProcessHandle.of(server.pid().orElseThrow()).orElseThrow();
    assertThat(process.destroyForcibly()).isTrue();
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (server.death().isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(10);
    }
    assertThat(server.death()).as("its end").isPresent();
  }

  private static void assertEverythingFails(DB binding, String key) {
    for (int i = 0; i < 3; i++) {
      assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.ERROR);
      assertThat(binding.insert(TABLE, key, record(valueFor(key)))).isEqualTo(Status.ERROR);
      assertThat(binding.update(TABLE, key, record(valueFor(key)))).isEqualTo(Status.ERROR);
      assertThat(binding.delete(TABLE, key)).isEqualTo(Status.ERROR);
    }
    List<byte[]> keys = List.of(bytes(key));
    if (binding instanceof BatchOperations batches) {
      assertThat(batches.batchInsert(keys, List.of(source(valueFor(key))))).isEqualTo(Status.ERROR);
      assertThat(batches.batchRead(keys, List.of(new ValueBuffer()))).isEqualTo(Status.ERROR);
      assertThat(batches.batchDelete(keys)).isEqualTo(Status.ERROR);
    }
    if (binding instanceof PrefixScan scans) {
      assertThat(scans.prefixScan(bytes(key), 10, new RecordBuffer()))
          .isIn(Status.ERROR, Status.NOT_IMPLEMENTED);
    }
  }
}
