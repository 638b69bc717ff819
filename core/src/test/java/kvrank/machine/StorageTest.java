package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.Wording;
import kvrank.engine.Fsync;
import kvrank.fact.Facts;
import kvrank.scenario.Medium;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class StorageTest {

  @RegisterExtension final Wording wording = new Wording();

  @TempDir Path root;

  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    root = root.toRealPath();
    folder = Files.createDirectories(root.resolve("a b/data"));
  }

  private void mounts(String... lines) throws IOException {
    Path table = root.resolve("proc/self/mountinfo");
    Files.createDirectories(table.getParent());
    Files.writeString(table, String.join("\n", lines) + "\n");
  }

  private String mount(String type, String device) {
    return mount(type, device, "/dev/whatever");
  }

  private String mount(String type, String device, String source) {
    return "36 35 %s / %s rw,noatime shared:1 - %s %s rw"
        .formatted(device, root.resolve("a b").toString().replace(" ", "\\040"), type, source);
  }

  private void disk(String name, String number, String rotational) throws IOException {
    Path device = root.resolve("sys/devices/" + name);
    Files.createDirectories(device.resolve("queue"));
    Files.writeString(device.resolve("queue/rotational"), rotational + "\n");
    link("sys/dev/block/" + number, device);
    link("sys/class/block/" + name, device);
  }

  private void link(String path, Path target) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.createSymbolicLink(root.resolve(path), target);
  }

  private Storage look() throws IOException {
    return Storage.of(folder.resolve("not/yet/there"), root.resolve("proc"), root.resolve("sys"));
  }

  @Test
  void aFolderWithoutExecutionHoldsNoLibraries() throws IOException {
    mounts(mount("tmpfs", "0:9"));
    assertThat(look().noLibraries()).isEmpty();
    mounts(mount("tmpfs", "0:9").replace("rw,noatime", "rw,noexec,noatime"));
    wording.check(look().noLibraries().orElseThrow().replace(folder.toString(), "FOLDER"));
  }

  @Test
  void takesTheInnermostMountAndTheWholeDiskOfAPartition() throws IOException {
    disk("sda", "8:0", "1");
    Path partition = Files.createDirectories(root.resolve("sys/devices/sda/sda1"));
    Files.writeString(partition.resolve("partition"), "1\n");
    link("sys/dev/block/8:1", partition);
    mounts("1 0 0:1 / / rw - overlay overlay rw", mount("ext4", "8:1"));
    Storage storage = look();
    assertThat(storage.fileSystem()).isEqualTo("ext4");
    assertThat(storage.device()).contains("sda");
    assertThat(storage.kind()).isEqualTo(Storage.Kind.HDD);
    assertThat(storage.freeBytes()).isPositive();
    assertThat(storage.facts(Medium.HDD).asMap())
        .containsEntry("storage.rotational", "yes")
        .containsEntry("storage.medium", "hdd")
        .doesNotContainKey("storage.warning");
    assertThat(storage.problem(Medium.HDD, Fsync.ON)).isEmpty();
    assertThat(storage.problem(Medium.ANY, Fsync.ON)).isEmpty();
    wording.check(
        storage.problem(Medium.SSD, Fsync.OFF).orElseThrow().replace(folder.toString(), "FOLDER"));
  }

  private void figure(String disk, String file, String text) throws IOException {
    Path path = root.resolve("sys/devices").resolve(disk).resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  @Test
  void recordsTheDiskOfAFolder() throws IOException {
    disk("nvme0n1", "259:0", "0");
    figure("nvme0n1", "size", "1953525168");
    figure("nvme0n1", "device/model", "Samsung SSD 980 PRO 1TB");
    figure("nvme0n1", "device/firmware_rev", "5B2QGXA7");
    figure("nvme0n1", "queue/read_ahead_kb", "128");
    figure("nvme0n1", "queue/scheduler", "[none] mq-deadline");
    figure("nvme0n1", "queue/write_cache", "write back");
    figure("nvme0n1", "queue/discard_max_bytes", "2199023255040");
    mounts(mount("xfs", "259:0"));
    assertThat(look().facts(Medium.SSD).asMap())
        .containsEntry("storage.model", "Samsung SSD 980 PRO 1TB")
        .containsEntry("storage.firmware", "5B2QGXA7")
        .containsEntry("storage.sizeBytes", "1000204886016")
        .containsEntry("storage.readAheadBytes", "131072")
        .containsEntry("storage.scheduler", "none")
        .containsEntry("storage.writeCache", "write back")
        .containsEntry("storage.discard", "yes")
        .hasEntrySatisfying(
            "storage.used", share -> assertThat(Double.parseDouble(share)).isBetween(0.0, 1.0));
  }

  @Test
  void aLogicalVolumeHasTheModelsOfItsDisks() throws IOException {
    disk("dm-0", "253:0", "0");
    for (String name : new String[] {"sda", "sdb"}) {
      disk(name, "8:" + name, "0");
      figure(name, "device/vendor", name.equals("sda") ? "ATA" : "SEAGATE");
      figure(name, "device/model", "X" + name);
      figure(name, "device/rev", "0001");
    }
    figure("sda/sda2", "partition", "2");
    link("sys/devices/dm-0/slaves/sda2", root.resolve("sys/devices/sda/sda2"));
    link("sys/devices/dm-0/slaves/sdb", root.resolve("sys/devices/sdb"));
    mounts(mount("ext4", "253:0"));
    assertThat(look().facts(Medium.SSD).asMap())
        .containsEntry("storage.model", "Xsda, SEAGATE Xsdb")
        .containsEntry("storage.firmware", "0001")
        .doesNotContainKey("storage.discard");
  }

  @Test
  void anSsdIsNoHddAndNoMemory() throws IOException {
    disk("nvme0n1", "259:0", "0");
    mounts(mount("xfs", "259:0"));
    assertThat(look().problem(Medium.SSD, Fsync.ON)).isEmpty();
    assertThat(look().problem(Medium.HDD, Fsync.ON)).isPresent();
    assertThat(look().problem(Medium.MEMORY, Fsync.OFF))
        .hasValueSatisfying(text -> assertThat(text).endsWith("choose a folder on a tmpfs"));
  }

  @Test
  void memoryIsNeitherDiskNorStable() throws IOException {
    mounts(mount("tmpfs", "0:42", "tmpfs"));
    assertThat(look().problem(Medium.MEMORY, Fsync.OFF)).isEmpty();
    assertThat(look().problem(Medium.ANY, Fsync.OFF)).isEmpty();
    assertThat(look().problem(Medium.SSD, Fsync.OFF)).isPresent();
    assertThat(look().problem(Medium.HDD, Fsync.OFF)).isPresent();
    assertThat(look().problem(Medium.MEMORY, Fsync.ON))
        .hasValueSatisfying(text -> assertThat(text).startsWith("fsync is on, but "));
  }

  @Test
  void anOverlayIsRefusedOnlyForFsync() throws IOException {
    mounts(mount("overlay", "0:43", "overlay"));
    assertThat(look().problem(Medium.ANY, Fsync.ON)).isPresent();
    assertThat(look().problem(Medium.SSD, Fsync.OFF)).isEmpty();
    assertThat(look().facts(Medium.SSD).asMap())
        .containsEntry("storage.medium", "unknown")
        .containsEntry("storage.rotational", "unknown");
  }

  @Test
  void whatAVirtualDiskSaysOfItselfMeansNothing() throws IOException {
    disk("vda", "254:0", "1");
    mounts(mount("ext4", "254:0"));
    assertThat(look().kind()).isEqualTo(Storage.Kind.VIRTUAL);
    assertThat(look().problem(Medium.SSD, Fsync.ON)).isEmpty();
    assertThat(look().problem(Medium.HDD, Fsync.ON)).isEmpty();
    assertThat(look().facts(Medium.SSD).asMap())
        .containsEntry(
            "storage.warning", "vda is a virtual disk: medium 'ssd' is taken from the scenario");
    assertThat(look().warning(Medium.ANY)).isEmpty();
  }

  @Test
  void knowsVirtualDisksByTheirMakerAndUnderALogicalVolume() throws IOException {
    disk("sda", "8:0", "1");
    Files.createDirectories(root.resolve("sys/devices/sda/device"));
    Files.writeString(root.resolve("sys/devices/sda/device/vendor"), "QEMU    \n");
    mounts(mount("ext4", "8:0"));
    assertThat(look().kind()).isEqualTo(Storage.Kind.VIRTUAL);
    disk("dm-0", "253:0", "1");
    Files.createDirectories(root.resolve("sys/devices/dm-0/slaves/vdb1"));
    mounts(mount("ext4", "253:0"));
    assertThat(look().kind()).isEqualTo(Storage.Kind.VIRTUAL);
  }

  @Test
  void findsADeviceByItsNameWhereTheFileSystemNumbersItself() throws IOException {
    disk("nvme1n1", "259:3", "0");
    mounts(mount("btrfs", "0:31", "/dev/nvme1n1"));
    assertThat(look().kind()).isEqualTo(Storage.Kind.SSD);
  }

  @Test
  void compressedMemoryIsMemory() throws IOException {
    disk("zram0", "252:0", "0");
    mounts(mount("ext4", "252:0"));
    assertThat(look().problem(Medium.SSD, Fsync.OFF)).isPresent();
  }

  @Test
  void saysWhatItIsMountedWith() throws IOException {
    disk("sda", "8:0", "0");
    Path defaults = root.resolve("proc/fs/ext4/sda/options");
    Files.createDirectories(defaults.getParent());
    Files.writeString(defaults, "rw\nbarrier\ncommit=5\ndata=ordered\n");
    mounts(mount("ext4", "8:0", "/dev/sda"));
    assertThat(look().facts(Medium.SSD).asMap())
        .containsEntry("storage.mountOptions", "rw,noatime,barrier,data=ordered");
    Files.writeString(defaults, "rw\nnobarrier\ndata=writeback\n");
    assertThat(look().mountOptions()).isEqualTo("rw,noatime,nobarrier,data=writeback");
    mounts(mount("xfs", "8:0", "/dev/sda"));
    assertThat(look().mountOptions()).isEqualTo("rw,noatime");
  }

  @Test
  void refusesWhatHasNoRoom() {
    Storage storage =
        new Storage(
            Path.of("/data"),
            "ext4",
            "rw",
            Optional.of("sda"),
            Storage.Kind.SSD,
            3L << 30,
            new Facts());
    assertThat(storage.shortage(1L << 30)).isEmpty();
    wording.check(storage.shortage(2L << 30).orElseThrow());
    wording.check(storage.summary());
  }

  @Test
  void looksAtARealFolder() throws IOException {
    Storage storage = Storage.of(folder);
    assertThat(storage.fileSystem()).isNotEmpty();
    assertThat(storage.facts(Medium.ANY).asMap())
        .containsKeys("storage.fileSystem", "storage.medium");
  }
}
