package kvrank.provision.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static kvrank.provision.Eventually.eventually;
import static kvrank.provision.Eventually.runs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.OneAtATime;
import kvrank.provision.host.Boot;
import kvrank.provision.host.Executables;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;
import kvrank.scenario.CrashTest.FileSystem;
import kvrank.scenario.CrashTest.Keep;
import kvrank.scenario.CrashTest.PowerCut;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real file systems on the disk, the kernel's loop device and its mounts. */
@OneAtATime(OneAtATime.UNSYNCED)
class VolatileDiskIT {

  private static final Executables EXECUTABLES = new Executables(System.getenv());

  /** Its end ends every process that this JVM started. */
  private static final Reaper REAPER = new Reaper(EXECUTABLES);

  @TempDir Path folder;

  private VolatileDisk disk;
  private long began;

  @BeforeEach
  void requireRights() {
    Stream.of(FileSystem.values())
        .map(fileSystem -> VolatileDisk.missing(fileSystem, EXECUTABLES))
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(
            reason -> {
              print("NO TEST OF A POWER CUT: " + reason);
              abort(reason);
            });
  }

  @AfterEach
  void close() {
    if (disk != null) {
      disk.close();
    }
  }

  @AfterAll
  static void endGuard() {
    REAPER.close();
  }

  @SuppressWarnings("SystemOut")
  private static void print(String line) {
    System.out.println(line);
  }

  private void lap(String step) {
    long now = System.nanoTime();
    print("%s: %d ms".formatted(step, TimeUnit.NANOSECONDS.toMillis(now - began)));
    began = now;
  }

  private void create(FileSystem fileSystem) throws Exception {
    create(fileSystem, Duration.ZERO);
  }

  /** Each commit makes durable what a test is about to lose, by default after 5 s. */
  private void createWithoutCommits(FileSystem fileSystem) throws Exception {
    create(fileSystem);
    if (fileSystem == FileSystem.EXT4) {
      String remount = "mount -o remount,noatime,commit=300 mnt";
      assertThat(run(disk.entry(), folder.resolve("di sk"), remount)).isEmpty();
    }
  }

  private void create(FileSystem fileSystem, Duration sync) throws Exception {
    create(fileSystem, sync, folder.resolve("di sk"));
  }

  private void create(FileSystem fileSystem, Duration sync, Path place) throws Exception {
    PowerCut cut = new PowerCut(List.of(Keep.NONE), 4096, fileSystem, sync, Optional.empty());
    began = System.nanoTime();
    disk = VolatileDisk.create(place, cut, EXECUTABLES, REAPER);
    lap("create " + fileSystem.label());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(disk.data().resolve(name), text);
  }

  /** As fsync of a file or a folder. */
  private static void sync(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      file.force(true);
    }
  }

  private VolatileDisk.Recovered cutAndRecover(Keep keep) throws Exception {
    began = System.nanoTime();
    VolatileDisk.State state = disk.freeze(keep);
    lap("freeze " + keep.label());
    disk.cut();
    lap("cut");
    VolatileDisk.Recovered recovered = disk.recover(keep, 42, 4096);
    lap("recover, " + recovered);
    assertThat(recovered.writes()).isEqualTo(state.writes());
    assertThat(recovered.bytes()).isEqualTo(state.bytes());
    return recovered;
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSyncedRemainsAndTheRestIsLost(FileSystem fileSystem) throws Exception {
    createWithoutCommits(fileSystem);
    sync(write("synced", "a"));
    sync(write("appended", "b"));
    sync(write("new", "e"));
    Files.writeString(disk.data().resolve("appended"), "c", StandardOpenOption.APPEND);
    write("late", "d");
    Files.move(disk.data().resolve("new"), disk.data().resolve("renamed"));

    VolatileDisk.Recovered recovered = cutAndRecover(Keep.NONE);

    assertThat(recovered.sectorsKept()).isZero();
    assertThat(disk.data().resolve("synced")).hasContent("a");
    assertThat(disk.data().resolve("appended")).hasContent("b");
    assertThat(disk.data().resolve("late")).doesNotExist();
    assertThat(disk.data().resolve("renamed")).doesNotExist();
    assertThat(disk.data().resolve("new")).hasContent("e");
  }

  @ParameterizedTest
  @EnumSource
  void aSyncOfTheFolderKeepsARename(FileSystem fileSystem) throws Exception {
    createWithoutCommits(fileSystem);
    sync(write("new", "e"));
    Files.move(disk.data().resolve("new"), disk.data().resolve("renamed"));
    sync(disk.data());

    cutAndRecover(Keep.NONE);

    assertThat(disk.data().resolve("renamed")).hasContent("e");
    assertThat(disk.data().resolve("new")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void aWritePastThePageCacheIsLostWithoutAFlush(FileSystem fileSystem) throws Exception {
    createWithoutCommits(fileSystem);
    Path file = write("file", "o".repeat(4096));
    sync(file);
    entered(
        disk.data(),
        "tr o n <file >new; dd if=new of=file bs=4096 oflag=direct conv=notrunc 2>&1; cmp new file");
    assertThat(file).hasContent("n".repeat(4096));

    assertThat(cutAndRecover(Keep.NONE).bytes()).isGreaterThanOrEqualTo(4096);

    assertThat(file).hasContent("o".repeat(4096));
  }

  /** After a synced file was overwritten in place, each block is the old or the new one. */
  @ParameterizedTest
  @EnumSource
  void halfOfWhatTheKernelWroteBackIsKept(FileSystem fileSystem) throws Exception {
    int blocks = 500;
    createWithoutCommits(fileSystem);
    Path file = write("file", "o".repeat(4096 * blocks));
    sync(file);
    try (FileChannel overwrite = FileChannel.open(file, StandardOpenOption.WRITE)) {
      overwrite.write(ByteBuffer.wrap("n".repeat(4096 * blocks).getBytes(UTF_8)));
    }

    VolatileDisk.Recovered recovered = cutAndRecover(Keep.WRITTEN_BACK);

    assertThat(recovered.sectors()).isGreaterThanOrEqualTo(blocks);
    assertThat(recovered.sectorsKept() * 100 / recovered.sectors()).isBetween(35L, 65L);
    String text = Files.readString(file);
    int kept = 0;
    for (int i = 0; i < blocks; i++) {
      String block = text.substring(i * 4096, (i + 1) * 4096);
      assertThat(block).isIn("o".repeat(4096), "n".repeat(4096));
      kept += block.startsWith("n") ? 1 : 0;
    }
    assertThat(kept).isBetween(blocks * 35 / 100, blocks * 65 / 100);
  }

  @ParameterizedTest
  @EnumSource
  void anOldFileGivesErrorsForeverAndNeverReachesTheNewDisk(FileSystem fileSystem)
      throws Exception {
    createWithoutCommits(fileSystem);
    Path file = write("file", "old");
    sync(file);
    try (FileChannel old = FileChannel.open(file, StandardOpenOption.WRITE)) {
      cutAndRecover(Keep.NONE);
      assertThatThrownBy(
              () -> {
                old.write(ByteBuffer.wrap("late".getBytes(UTF_8)), 0);
                old.force(true);
              })
          .isInstanceOf(IOException.class);
      assertThat(file).hasContent("old");
      sync(write("second", "f"));
      cutAndRecover(Keep.SOME);
      assertThat(file).hasContent("old");
      assertThat(disk.data().resolve("second")).hasContent("f");
    }
  }

  /** A container or a service may have copied the mount, and keeps the old super block. */
  @ParameterizedTest
  @EnumSource
  void aWriterInAnotherMountNamespaceNeverReachesTheNewDisk(FileSystem fileSystem)
      throws Exception {
    createWithoutCommits(fileSystem);
    Path file = write("file", "old");
    sync(file);
    List<String> command = new ArrayList<>(disk.entry());
    command.addAll(List.of("unshare", "--mount", "sh", "-c"));
    command.add("exec 3>>file; echo open; read go; echo late >&3; sync file; echo $?; read end");
    Process writer = new ProcessBuilder(command).directory(disk.data().toFile()).start();
    try (BufferedReader out = writer.inputReader();
        BufferedWriter in = writer.outputWriter()) {
      assertThat(out.readLine()).isEqualTo("open");
      cutAndRecover(Keep.NONE);
      in.write("go\n");
      in.flush();
      assertThat(out.readLine()).as("the status of its sync").isEqualTo("1");
      assertThat(file).hasContent("old");
      Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
      disk.close();
      leftover.isGone();
    } finally {
      writer.destroyForcibly();
    }
  }

  @Test
  void aFullFileSystemBelowIsAnErrorOfTheDiskWithItsReason() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", small.toString());
    try {
      create(FileSystem.EXT4, Duration.ZERO, small.resolve("disk"));
      Path file = write("file", "old");
      sync(file);
      assertThatThrownBy(() -> sync(write("large", "x".repeat(64 << 20))))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(disk::requireSound).hasMessageContaining("No space left on device");
      disk.close();
      assertThat(small).isEmptyDirectory();
    } finally {
      run("umount", small.toString());
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void onlySyncsOfTheWholeMachineAreCounted(FileSystem fileSystem) throws Exception {
    create(fileSystem);
    long before = disk.syncs();
    sync(write("a", "text"));
    sync(disk.data());
    assertThat(disk.syncs()).isEqualTo(before);
    run("sync");
    assertThat(disk.syncs()).isGreaterThan(before);
  }

  @ParameterizedTest
  @EnumSource
  void whatWaitsForAFrozenDiskGetsAnErrorByTheCut(FileSystem fileSystem) throws Exception {
    createWithoutCommits(fileSystem);
    sync(write("file", "old"));
    disk.freeze(Keep.SOME);
    CompletableFuture<Boolean> late = new CompletableFuture<>();
    Thread writer =
        new Thread(
            () -> {
              try {
                sync(write("late", "x"));
                late.complete(true);
              } catch (IOException e) {
                late.complete(false);
              }
            });
    writer.start();
    assertThat(late).isNotDone();
    disk.cut();
    assertThat(late.join()).as("the sync succeeds").isFalse();
    disk.recover(Keep.SOME, 1, 512);
    assertThat(disk.data().resolve("file")).hasContent("old");
    assertThat(disk.data().resolve("late")).doesNotExist();
  }

  @Test
  void enteredProcessesSeeTheDiskUnderTheSamePath() throws Exception {
    create(FileSystem.EXT4);
    Path data = disk.data();
    String real = folder.toRealPath().resolve("di sk/mnt/data").toString();
    assertThat(entered(data, "pwd && echo x >file && cat '%s/file'".formatted(data)))
        .containsExactly(real, "x");
    assertThat(entered(folder, "pwd && realpath '%s'".formatted(data)))
        .containsExactly(folder.toRealPath().toString(), real);
    assertThat(entered(data, "ls '%s'".formatted(real))).containsExactly("file");
    assertThat(data.resolve("file")).hasContent("x");
    assertThat(Path.of("/proc/self/mounts")).content().doesNotContain("di\\040sk");
  }

  /** An engine may use anything that a reboot changes or clears. */
  @Test
  void eachStartFindsWhatARebootLeaves() throws Exception {
    create(FileSystem.EXT4);
    Path data = Files.createDirectory(disk.data().resolve("data"));
    String script =
        "cat /proc/sys/kernel/random/boot_id; readlink /proc/self/ns/ipc; echo $$; pwd; ls;"
            + " ls /dev/shm '/proc/1/root%s'; tr '\\0' ' ' </proc/$$/cmdline | cut -c -6; touch file /dev/shm/lock"
                .formatted(hidden());
    List<String> first = started(data, script);
    List<String> second = started(data, script);

    String place = folder.toRealPath().resolve("di sk").toString();
    assertThat(first.subList(3, first.size()))
        .containsExactly(place, "/dev/shm:", "", "/proc/1/root" + hidden() + ":", "sh -c ");
    assertThat(second.subList(3, second.size()))
        .containsExactly(place, "file", "/dev/shm:", "", "/proc/1/root" + hidden() + ":", "sh -c ");
    String bootId = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    assertThat(List.of(first.get(0), second.get(0), bootId))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[-0-9a-f]{36}"));
    String ipc = Files.readSymbolicLink(Path.of("/proc/self/ns/ipc")).toString();
    assertThat(List.of(first.get(1), second.get(1))).doesNotContain(ipc);
    assertThat(List.of(first.get(2), second.get(2))).allMatch(pid -> pid.length() > 2);
    assertThat(data.resolve("file")).exists();
    assertThat(Path.of("/dev/shm/lock")).doesNotExist();
    assertThat(hidden()).isNotEmptyDirectory();
  }

  private Path hidden() throws IOException {
    Path hidden = Files.createDirectories(folder.resolve("results"));
    Files.writeString(hidden.resolve("seed"), "1");
    return hidden;
  }

  private List<String> started(Path directory, String script) throws IOException {
    Boot boot = disk.boot(directory);
    return run(Boot.server(Optional.of(boot), Optional.of(hidden())), directory, script);
  }

  @Test
  void theDiskIsAsLargeAsTheFreeSpace() throws Exception {
    create(FileSystem.EXT4);
    long free = Math.min(1L << 40, folder.toFile().getUsableSpace());
    assertThat(disk.data().toFile().getUsableSpace()).isGreaterThan(free / 10 * 9);
  }

  private List<String> entered(Path directory, String script) throws IOException {
    return run(disk.entry(), directory, script);
  }

  private static List<String> run(List<String> entry, Path directory, String script)
      throws IOException {
    List<String> command = new ArrayList<>(entry);
    command.addAll(List.of("sh", "-c", script));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
  }

  @Test
  void flushesAreCountedAndTakeTheirTime() throws Exception {
    create(FileSystem.EXT4, Duration.ofMillis(2));
    Path file = write("file", "x");
    sync(file);
    long before = disk.flushes();
    began = System.nanoTime();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < 100; i++) {
        channel.write(ByteBuffer.wrap(new byte[] {1}), 0);
        channel.force(false);
      }
    }
    // The disk's latency is a lower bound, which no slow machine breaks.
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(200_000_000);
    lap("100 flushes of 2 ms each");
    assertThat(disk.flushes() - before).isGreaterThanOrEqualTo(100);
  }

  @Test
  void aDiskThatStandsStillForTooLongLosesItsPower() throws Exception {
    create(FileSystem.EXT4);
    Path file = write("file", "x");
    disk.freeze(Keep.NONE);
    assertThatThrownBy(() -> sync(file)).isInstanceOf(IOException.class);
    assertThatThrownBy(disk::cut)
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("it lost its power before the cut; it reported: requests waited");
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLeft(FileSystem fileSystem) throws Exception {
    create(fileSystem);
    write("unsynced", "x".repeat(1 << 20));
    Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
    began = System.nanoTime();
    disk.close();
    lap("close");
    leftover.isGone();
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLeftAfterSigkillOfItsProcesses(FileSystem fileSystem) throws Exception {
    create(fileSystem);
    write("unsynced", "x".repeat(1 << 20));
    Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
    leftover.processes.forEach(ProcessHandle::destroyForcibly);
    leftover.isGone();
    assertThatThrownBy(disk::flushes).isInstanceOf(ProvisionException.class);
    disk.close();
    assertThat(folder).isEmptyDirectory();
  }

  /** An engine on it fails before the disk's process notices and ends. */
  @Test
  void aDiskWithoutItsConnectionToTheKernelIsNotSound() throws Exception {
    create(FileSystem.EXT4);
    disk.requireSound();
    String mounts = Files.readString(Path.of("/proc/%d/mountinfo".formatted(disk.pid())));
    Matcher connection =
        Pattern.compile("\\d+ \\d+ 0:(\\d+) .* - fuse kvrank-disk").matcher(mounts);
    assertThat(connection.find()).as(mounts).isTrue();
    Path abort = Path.of("sys/fs/fuse/connections", connection.group(1), "abort");
    Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
    run("kill", "-STOP", "--", "-" + leftover.processes.get(1).pid());
    Files.writeString(Path.of("/proc/%d/root".formatted(disk.pid())).resolve(abort), "1");
    assertThatThrownBy(disk::requireSound)
        .isInstanceOf(ProvisionException.class)
        // On a busy machine, those that watch the disk may be first.
        .hasMessageMatching("(?s).*(it does not answer|stood still|were stopped).*");
  }

  /** Every sync of the machine would wait for it. */
  @ParameterizedTest
  @EnumSource
  void aStoppedDiskEndsByItself(FileSystem fileSystem) throws Exception {
    create(fileSystem);
    write("unsynced", "x".repeat(1 << 20));
    Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
    run("kill", "-STOP", "--", "-" + leftover.processes.get(1).pid());
    leftover.isGone();
    assertThatThrownBy(disk::requireSound).hasMessageContaining("its process stood still");
  }

  /** No one else ends it: a stopped process outlives its parent. */
  @ParameterizedTest
  @ValueSource(strings = {"-KILL", "-STOP"})
  void aStoppedDiskEndsWithoutItsWatchdog(String signal) throws Exception {
    create(FileSystem.EXT4);
    write("unsynced", "x".repeat(1 << 20));
    Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
    run("kill", "-STOP", "--", "-" + leftover.processes.get(1).pid());
    run("kill", signal, Long.toString(disk.pid()));
    leftover.isGone();
    assertThatThrownBy(disk::requireSound).isInstanceOf(ProvisionException.class);
  }

  @Test
  void aStoppedWatchdogAffectsNothing() throws Exception {
    create(FileSystem.EXT4);
    Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
    run("kill", "-STOP", "--", "-" + disk.pid());
    sync(write("synced", "a"));
    cutAndRecover(Keep.NONE);
    assertThat(disk.data().resolve("synced")).hasContent("a");
    disk.close();
    leftover.isGone();
  }

  @Test
  void anAnswerIsNeverTakenForThatOfAnInterruptedThread() throws Exception {
    create(FileSystem.EXT4);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> disk.freeze(Keep.NONE)).isInstanceOf(InterruptedException.class);
    disk.cut();
    disk.recover(Keep.NONE, 1, 4096);
    assertThat(disk.data()).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLeftAfterSigkillWhileItIsFrozen(FileSystem fileSystem) throws Exception {
    create(fileSystem);
    write("unsynced", "x".repeat(1 << 20));
    Leftover leftover = Leftover.of(disk.pid(), folder.resolve("di sk"));
    disk.freeze(Keep.WRITTEN_BACK);
    leftover.processes.get(1).destroyForcibly();
    leftover.isGone();
  }

  @ParameterizedTest
  @EnumSource
  @OneAtATime(OneAtATime.LEFTOVERS)
  void nothingIsLeftAfterSigkillOfKvrank(FileSystem fileSystem) throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")),
            "-cp",
            System.getProperty("java.class.path"),
            DiskOwner.class.getName(),
            folder.resolve("disk").toString(),
            fileSystem.name());
    Process owner =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Leftover leftover;
    try (BufferedReader out = owner.inputReader()) {
      leftover = Leftover.of(Long.parseLong(out.readLine()), folder.resolve("disk"));
    } finally {
      owner.destroyForcibly();
    }
    leftover.isGone();
    eventually("the folder goes", () -> !Files.exists(folder.resolve("disk")));
  }

  /** What a disk has on this machine. */
  private record Leftover(List<ProcessHandle> processes, Path loop) {

    static Leftover of(long pid, Path folder) throws IOException {
      ProcessHandle holder = ProcessHandle.of(pid).orElseThrow();
      // The holder also sleeps, by a program.
      Stream<ProcessHandle> disk =
          holder.descendants().filter(each -> each.info().command().orElse("").endsWith("/java"));
      List<ProcessHandle> processes = Stream.concat(Stream.of(holder), disk).toList();
      assertThat(processes).hasSize(2);
      String place = " %s/mnt ".formatted(folder.toRealPath());
      String device =
          Files.readAllLines(Path.of("/proc/%d/mounts".formatted(pid))).stream()
              .filter(line -> line.replace("\\040", " ").contains(place))
              .map(line -> line.substring("/dev/".length(), line.indexOf(' ')))
              .findFirst()
              .orElseThrow();
      Path loop = Path.of("/sys/block", device, "loop/backing_file");
      assertThat(loop).content().contains("/disk-");
      return new Leftover(processes, loop);
    }

    void isGone() throws Exception {
      for (ProcessHandle process : processes) {
        eventually(process + " ends", () -> !runs(process.pid()));
      }
      eventually(loop + " is free", () -> !Files.exists(loop));
    }
  }
}
