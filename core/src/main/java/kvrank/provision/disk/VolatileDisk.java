package kvrank.provision.disk;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.failure.Cause;
import kvrank.input.Reason;
import kvrank.machine.BlockDevice;
import kvrank.provision.host.Boot;
import kvrank.provision.host.Children;
import kvrank.provision.host.DataFolder;
import kvrank.provision.host.Executables;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;
import kvrank.scenario.CrashTest.FileSystem;
import kvrank.scenario.CrashTest.Keep;
import kvrank.scenario.CrashTest.PowerCut;

/**
 * A simulated disk with a volatile write cache, with a file system, whose power can be cut. It is
 * mounted in a mount namespace of its own, so that only processes see it that start with {@link
 * #entry}, or that use the path of {@link #data}.
 *
 * <p>The order of a cut: {@link #freeze}, the end of the processes that write, {@link #cut}, since
 * they cannot end while the disk stands still, and {@link #recover}.
 */
public final class VolatileDisk implements AutoCloseable {

  /** The disk's image is sparse, and takes the space of what was written. */
  private static final long SMALLEST = 8L << 30;

  private static final long LARGEST = 1L << 40;

  private static final int MOUNT = 21; // the bit of CAP_SYS_ADMIN

  private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s*([0-9a-f]{1,16})$");

  private static final Duration STEP = Duration.ofSeconds(20);

  /** After this time without a write, the kernel has written what it can without a flush. */
  private static final Duration QUIET = Duration.ofMillis(100);

  /** The rest of a cut needs a part of the time that the disk may stand still. */
  private static final Duration LONGEST_WRITE_BACK = Duration.ofMillis(700);

  private static final long POLL_MILLIS = 20;

  /**
   * Writes that are not flushed when the disk begins to stand still.
   *
   * @param busyNanos how long it had had requests until then, without a pause
   */
  public record State(long writes, long bytes, long busyNanos) {}

  /**
   * What a cut left of the writes that were not flushed.
   *
   * @param sectors of these writes, a sector counts once per write
   * @param sectorsKept those that the disk has nevertheless
   */
  public record Recovered(long writes, long bytes, long sectors, long sectorsKept) {}

  private final DataFolder folder;
  private final FileSystem fileSystem;
  private final Reaper reaper;
  private final AtomicBoolean closed = new AtomicBoolean();
  private DiskProcesses processes;
  private BlockDevice idle;
  private Path place;
  private Path mounted;
  private Path fuse;

  private VolatileDisk(DataFolder folder, FileSystem fileSystem, Reaper reaper) {
    this.folder = folder;
    this.fileSystem = fileSystem;
    this.reaper = reaper;
  }

  /** Returns the reasons why this machine cannot have such a disk, with the remedies, if any. */
  public static Optional<String> missing(FileSystem fileSystem, Executables executables) {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.of("the system is not Linux");
    }
    List<String> missing = new ArrayList<>();
    if (!mayMount()) {
      missing.add("kvrank may not mount: run it as root (a container also needs --privileged)");
    } else {
      device("/dev/fuse", "fuse").ifPresent(missing::add);
      device("/dev/loop-control", "loop").ifPresent(missing::add);
      if (Files.exists(Path.of("/dev/loop0"))) {
        device("/dev/loop0", "loop").ifPresent(missing::add);
      }
    }
    if (!kernelHas(fileSystem.label())) {
      missing.add("the kernel has no %1$s: run modprobe %1$s".formatted(fileSystem.label()));
    }
    Map<String, String> packages = new LinkedHashMap<>();
    for (String name : List.of("unshare", "nsenter", "setsid", "mount", "umount", "losetup")) {
      packages.put(name, "util-linux");
    }
    packages.put("sync", "coreutils");
    packages.put("truncate", "coreutils");
    packages.put("mkfs.ext4", "e2fsprogs");
    if (fileSystem == FileSystem.XFS) {
      packages.put("mkfs.xfs", "xfsprogs");
    }
    packages.keySet().removeIf(name -> executables.find(name).isPresent());
    packages.forEach(
        (name, from) -> missing.add("%s is not on the PATH: install %s".formatted(name, from)));
    return missing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", missing));
  }

  private static boolean mayMount() {
    try {
      Matcher set = CAPABILITIES.matcher(Files.readString(Path.of("/proc/self/status")));
      return set.find() && (Long.parseUnsignedLong(set.group(1), 16) >> MOUNT & 1) == 1;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the next step if {@code device} cannot be opened. */
  private static Optional<String> device(String device, String module) {
    if (opens(device)) {
      return Optional.empty();
    }
    return Optional.of(
        Files.exists(Path.of(device))
            ? device + " may not be opened: run the container with --privileged"
            : "%s is missing: run modprobe %s".formatted(device, module));
  }

  private static boolean opens(String device) {
    try (FileChannel opened =
        FileChannel.open(Path.of(device), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return opened.isOpen();
    } catch (IOException e) {
      return false;
    }
  }

  /** Modules are loaded when they are needed. */
  private static boolean kernelHas(String fileSystem) {
    Path modules = Path.of("/lib/modules", System.getProperty("os.version"));
    return contains(Path.of("/proc/filesystems"), "\t" + fileSystem + "\n")
        || contains(modules.resolve("modules.dep"), "/" + fileSystem + ".ko")
        || contains(modules.resolve("modules.builtin"), "/" + fileSystem + ".ko");
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Creates and mounts a disk.
   *
   * @param folder a new one, which {@link #close} removes; it needs space for what is written
   */
  public static VolatileDisk create(
      Path folder, PowerCut cut, Executables executables, Reaper reaper)
      throws ProvisionException, InterruptedException {
    Optional<String> missing = missing(cut.fileSystem(), executables);
    if (missing.isPresent()) {
      throw new ProvisionException(
          Cause.MACHINE, "this machine cannot simulate a disk: " + missing.orElseThrow());
    }
    DataFolder own = DataFolder.create(folder);
    VolatileDisk disk = new VolatileDisk(own, cut.fileSystem(), reaper);
    try {
      reaper.register(Reaper.Kind.FOLDER, own.path().toString());
      disk.start(cut);
      return disk;
    } catch (IOException e) {
      disk.close();
      throw new ProvisionException(
          "a simulated disk cannot be made in '%s': %s".formatted(folder, Reason.located(e)), e);
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  private void start(PowerCut cut) throws IOException, ProvisionException, InterruptedException {
    // Links in the path would lead out of the namespace.
    Path real = folder.path().toRealPath();
    place = real;
    Files.createDirectory(real.resolve("fuse"));
    Files.createDirectory(real.resolve("mnt"));
    Files.createDirectory(real.resolve("idle"));
    processes = DiskProcesses.start(real, command(real, cut.sync()), reaper);
    mounted = Path.of("/proc/%d/root%s/mnt".formatted(processes.pid(), real));
    fuse = mounted.resolveSibling("fuse");
    String[] status = processes.ask("status", STEP);
    processes.guard(Long.parseLong(status[3]));
    String device = processes.step(STEP, "idle");
    idle = new BlockDevice(Path.of("/sys/block").resolve(Path.of(device).getFileName()));
    String name = status[2];
    processes.step(STEP, "make", name, fileSystem.label());
    processes.step(STEP, "mount", name, fileSystem.label());
    Files.createDirectory(data());
    processes.step(STEP, "sync");
  }

  /** As large as the space that the engine has otherwise. */
  private static long size(Path folder) {
    long free = folder.toFile().getUsableSpace() >> 20 << 20;
    return Math.max(SMALLEST, Math.min(LARGEST, free));
  }

  /** Runs {@link kvrank.disk} in a JVM like this one. */
  private static List<String> command(Path folder, Duration latency) throws IOException {
    try {
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Xmx128m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-cp",
          Path.of(VolatileDisk.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .toString(),
          "kvrank.disk.DiskProcess",
          folder.toString(),
          Long.toString(size(folder)),
          Long.toString(latency.toNanos()));
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /**
   * Returns an empty folder on the disk, whose path this process and the entered processes use. It
   * must not be resolved to a real path, which exists only in the namespace.
   */
  public Path data() {
    return mounted.resolve("data");
  }

  /** Returns the start of a process that finds {@code data} at the path of the disk's folder. */
  public Boot boot(Path data) {
    Path inside = place.resolve("mnt").resolve(mounted.relativize(data));
    return new Boot(entry(), inside, place);
  }

  /** Returns the prefix of commands that work on the disk; they keep their working directory. */
  List<String> entry() {
    String enter =
        "exec nsenter --mount=%s --wd=\"/proc/%d/root$(readlink /proc/self/cwd)\" \"$@\""
            .formatted(processes.namespace(), processes.pid());
    return List.of("sh", "-c", enter, "sh");
  }

  /**
   * Lets everything wait that uses the disk, for at most 1.5 s: then the power goes by itself.
   *
   * @param keep whether the kernel writes its page cache to the disk before
   */
  public State freeze(Keep keep) throws ProvisionException, InterruptedException {
    if (keep == Keep.WRITTEN_BACK) {
      processes.ask("hold");
      awaitWriteBack();
    }
    String[] words = processes.ask("freeze");
    return new State(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
  }

  /** Starts a {@code sync}, which waits for flushes that are held, and awaits the last write. */
  private void awaitWriteBack() throws ProvisionException, InterruptedException {
    long start = System.nanoTime();
    try {
      Children.builder(List.of("sync", "-f", mounted.toString()), Children.mark())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw processes.failure(Reason.of(e));
    }
    long writes = -1;
    long since = start;
    long now = start;
    while (now - since < QUIET.toNanos() && now - start < LONGEST_WRITE_BACK.toNanos()) {
      Thread.sleep(POLL_MILLIS);
      long counted = Long.parseLong(processes.ask("status")[0]);
      now = System.nanoTime();
      if (counted != writes) {
        writes = counted;
        since = now;
      }
    }
  }

  /**
   * Cuts the power: everything that waits for this disk gets an error, and everything later.
   * Another thread may call it. Throws if the disk had lost its power before.
   */
  public void cut() throws ProvisionException, InterruptedException {
    if (!processes.ask("cut")[0].equals("true")) {
      throw processes.failure("it lost its power before the cut");
    }
  }

  /**
   * Gives the disk its power again, and mounts it.
   *
   * @param keep half of the sectors that were not flushed, or nothing
   * @param seed draws the half
   */
  public Recovered recover(Keep keep, long seed, int sectorBytes)
      throws ProvisionException, InterruptedException {
    processes.step(STEP, "unmount");
    String some = keep == Keep.NONE ? "none" : "some";
    String[] words = processes.ask("recover %s %d %d".formatted(some, seed, sectorBytes), STEP);
    processes.step(STEP, "mount", words[4], fileSystem.label());
    return new Recovered(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]));
  }

  /** Returns the number of flushes that the disk has served. */
  public long flushes() throws ProvisionException, InterruptedException {
    return Long.parseLong(processes.ask("status")[1]);
  }

  /**
   * Returns the number of syncs of the whole machine since it started: flushes of a file system
   * that has no user. 0 if this kernel does not count flushes.
   */
  public long syncs() {
    return idle.flushes().orElse(0);
  }

  /**
   * Throws if the disk's process has ended, does not answer the kernel, or reported trouble with
   * the files behind it, as without space. Waits while the disk stands still.
   */
  public void requireSound() throws ProvisionException {
    processes.requireSound();
    try {
      Files.readAttributes(fuse.resolve("none-" + System.nanoTime()), BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      // The disk has answered.
    } catch (IOException e) {
      throw processes.failure("it does not answer: " + Reason.of(e));
    }
    processes.requireSound();
  }

  /** The pid of the process whose mount namespace has the disk. */
  long pid() {
    return processes.pid();
  }

  /** Unmounts and removes the disk. Takes at most some seconds. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    if (processes != null) {
      processes.close();
    }
    try {
      folder.delete();
      reaper.release(Reaper.Kind.FOLDER, folder.path().toString());
    } catch (IOException e) {
      // The guard tries again.
    }
  }
}
