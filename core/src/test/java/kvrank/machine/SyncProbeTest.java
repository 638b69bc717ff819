package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncProbeTest {

  @TempDir Path folder;

  @Test
  void syncsForRealAndLeavesNothing() throws Exception {
    SyncProbe probe =
        SyncProbe.of(Storage.of(folder), folder, Duration.ofMillis(1), Duration.ofMillis(50));
    assertThat(probe.syncs()).isBetween(1L, 200L);
    SyncProbe.Latency nanos = probe.latencyNanos();
    assertThat(nanos.min()).isPositive().isLessThanOrEqualTo(nanos.p50());
    assertThat(nanos.p50()).isLessThanOrEqualTo(nanos.p99());
    assertThat(nanos.p99()).isLessThanOrEqualTo(nanos.max());
    assertThat(probe.facts().asMap())
        .containsEntry("storage.fdatasync.count", Long.toString(probe.syncs()))
        .containsKeys("storage.fdatasync.p50Nanos", "storage.fdatasync.maxNanos");
    assertThat(probe.summary()).startsWith("fdatasync takes ");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void oneSyncIsAlwaysDone() throws Exception {
    SyncProbe probe = SyncProbe.of(Storage.of(folder), folder, Duration.ZERO, Duration.ZERO);
    assertThat(probe.syncs()).isEqualTo(1);
  }

  @Test
  void aFolderThatCannotBeWrittenIsSaid() throws IOException {
    Storage storage = Storage.of(folder);
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> SyncProbe.of(storage, none, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(none.toString());
    assertThat(Files.exists(none)).isFalse();
  }
}
