package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryOfOthersTest {

  private static final long MIB = 1 << 20;
  private static final Offset<Double> ROUNDING = Offset.offset(1e-9);

  @TempDir private Path folder;

  /** A machine of 8 GiB, of which {@code available} MiB are free or cache files. */
  private void machine(long available) throws IOException {
    Files.writeString(
        folder.resolve("meminfo"),
        "MemTotal:        8388608 kB\nMemFree:          102400 kB\nMemAvailable:    %d kB\n"
            .formatted(available * 1024));
  }

  private Path group(String name, List<String> names, Object... values) throws IOException {
    Path group = Files.createDirectory(folder.resolve(name));
    for (int i = 0; i < values.length; i++) {
      Files.writeString(group.resolve(names.get(i)), values[i] + "\n");
    }
    return group;
  }

  private OptionalDouble crowding(boolean unified, List<Path> groups, long ours, long files) {
    return new MemoryOfOthers(folder, groups, unified).crowding(ours * MIB, files * MIB);
  }

  @Test
  void memoryIsCrowdedIfFilesDoNotFitBesideWhatOthersHold() throws Exception {
    machine(4096); // of 8192, and we hold 1024
    assertThat(crowding(true, List.of(), 1024, 4096)).hasValue(0);
    assertThat(crowding(true, List.of(), 1024, 4097)).hasValue(3072 / 8192.0);
    assertThat(crowding(true, List.of(), 5000, 4097)).hasValue(0);
  }

  @Test
  void theGroupOfAContainerCounts() throws Exception {
    machine(8000);
    List<String> files = List.of("memory.max", "memory.current", "memory.stat");
    String statistics =
        "anon 1\nactive_file %d\ninactive_file %d\nslab_reclaimable %d"
            .formatted(200 * MIB, 90 * MIB, 10 * MIB);
    Path inner = group("inner", files, "max", 1900 * MIB, statistics);
    Path outer = group("outer", files, 2048 * MIB, 1900 * MIB, statistics);
    // 448 MiB are available, 1600 are held.
    assertThat(crowding(true, List.of(inner, outer), 600, 448)).hasValue(0);
    assertThat(crowding(true, List.of(inner, outer), 600, 449).orElseThrow())
        .isCloseTo(1000 / 2048.0, ROUNDING);
  }

  @Test
  void theGroupOfVersionOneCounts() throws Exception {
    machine(8000);
    List<String> files = List.of("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat");
    String statistics =
        "active_file 1\ninactive_file 1\ntotal_active_file %d\ntotal_inactive_file %d"
            .formatted(200 * MIB, 100 * MIB);
    Path group = group("group", files, 2048 * MIB, 1900 * MIB, statistics);
    Path root = group("root", files, "9223372036854771712", 1900 * MIB, statistics);
    assertThat(crowding(false, List.of(group, root), 600, 448)).hasValue(0);
    assertThat(crowding(false, List.of(group, root), 600, 449).orElseThrow())
        .isCloseTo(1000 / 2048.0, ROUNDING);
  }

  /** The smallest place decides: files that do not fit there are dropped without others. */
  @Test
  void pagesThatAreReadAgainAreThoseOfTheSmallestPlace() throws Exception {
    machine(8000);
    Files.writeString(folder.resolve("vmstat"), "workingset_refault_file 70000\n");
    MemoryOfOthers machine = new MemoryOfOthers(folder, List.of(), true);
    assertThat(machine.limit()).hasValue(8192 * MIB);
    assertThat(machine.refaults()).hasValue(70_000);
    assertThat(machine.fits(1000 * MIB, 5500 * MIB)).isTrue();
    assertThat(machine.fits(1000 * MIB, 5600 * MIB)).isFalse();

    List<String> files = List.of("memory.max", "memory.current", "memory.stat");
    Path group = group("group", files, 2048 * MIB, MIB, "workingset_refault_file 9");
    MemoryOfOthers container = new MemoryOfOthers(folder, List.of(group), true);
    assertThat(container.limit()).hasValue(2048 * MIB);
    assertThat(container.refaults()).hasValue(9);
    assertThat(container.fits(1000 * MIB, 1000 * MIB)).isFalse();
  }

  /** DAMON drops pages that were not used for a while, even if memory is free. */
  @Test
  void onlyPagesThatWereDroppedForLackOfMemoryCount() throws Exception {
    machine(8000);
    String counters = "workingset_refault_file %d\npgsteal_kswapd %d\npgsteal_direct %d\n";
    Path file = folder.resolve("vmstat");
    Files.writeString(file, counters.formatted(70_000, 300, 4));
    MemoryOfOthers memory = new MemoryOfOthers(folder, List.of(), true);
    Files.writeString(file, counters.formatted(75_000, 300, 4));
    assertThat(memory.refaultsSince(70_000)).hasValue(0);
    Files.writeString(file, counters.formatted(75_000, 1_300, 1_004));
    assertThat(memory.refaultsSince(70_000)).hasValue(2_000);
    Files.writeString(file, counters.formatted(75_000, 90_300, 4));
    assertThat(memory.refaultsSince(70_000)).hasValue(5_000);

    Files.writeString(file, "workingset_refault_file 75000\n");
    assertThat(memory.refaultsSince(70_000)).as("an older kernel").hasValue(5_000);
  }

  @Test
  void withoutCountersNothingIsKnown() {
    assertThat(crowding(true, List.of(), 0, 1)).isEmpty();
    assertThat(new MemoryOfOthers(folder, List.of(), true).refaults()).isEmpty();
    assertThat(new MemoryOfOthers(folder, List.of(), true).refaultsSince(0)).isEmpty();
    assertThat(new MemoryOfOthers(folder, List.of(), true).fits(0, 1)).isFalse();
  }
}
