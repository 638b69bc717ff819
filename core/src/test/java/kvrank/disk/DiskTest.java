package kvrank.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests as the kernel lays them out, and answers as it reads them. */
class DiskTest {

  private static final int SIZE = 1 << 20;
  private static final int EIO = -5;
  private static final long NODE = 2;
  private static final int LOOKUP = 1;
  private static final int GETATTR = 3;
  private static final int OPEN = 14;
  private static final int READ = 15;
  private static final int WRITE = 16;
  private static final int FSYNC = 20;
  private static final int INIT = 26;

  @TempDir Path folder;

  /** A {@code fuse_out_header} without its length, and the bytes that follow. */
  private record Answer(long unique, int error, ByteBuffer content) {}

  /** The kernel's end of the connection. */
  private static final class Kernel implements WritableByteChannel {
    final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    @Override
    public int write(ByteBuffer bytes) {
      int length = bytes.remaining();
      ByteBuffer copy =
          ByteBuffer.allocate(length).order(ByteOrder.nativeOrder()).put(bytes).flip();
      assertThat(copy.getInt()).isEqualTo(length);
      int error = copy.getInt();
      long unique = copy.getLong();
      answers.add(new Answer(unique, error, copy));
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private final Kernel kernel = new Kernel();
  private final List<String> troubles = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private WriteCache cache;
  private long unique = 100;

  private Disk disk(Duration latency) throws IOException {
    cache = new WriteCache(folder, SIZE, 4 * SIZE, FuseReplies.LARGEST);
    return new Disk(cache, SIZE, latency, new FuseReplies(kernel), troubles::add);
  }

  private void start(Thread thread) {
    thread.start();
    threads.add(thread);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
    cache.close();
  }

  private FuseRequest request(int operation, long node, byte[] content) {
    ByteBuffer bytes =
        ByteBuffer.allocate(40 + content.length)
            .order(ByteOrder.nativeOrder())
            .putInt(40 + content.length)
            .putInt(operation)
            .putLong(++unique)
            .putLong(node)
            .putInt(1000) // uid, gid, pid
            .putInt(1001)
            .putInt(1002)
            .putInt(0)
            .put(content);
    return new FuseRequest(bytes.flip());
  }

  /** A {@code fuse_read_in} or {@code fuse_write_in}: the two have the same fields. */
  private FuseRequest transfer(int operation, long node, long offset, int size, byte[] data) {
    ByteBuffer content =
        ByteBuffer.allocate(40 + data.length)
            .order(ByteOrder.nativeOrder())
            .putLong(7) // fh
            .putLong(offset)
            .putInt(size)
            .putInt(8) // flags
            .putLong(9) // lock_owner
            .putInt(10)
            .putInt(0)
            .put(data);
    return request(operation, node, content.array());
  }

  private FuseRequest write(long offset, String text) {
    byte[] data = text.getBytes(US_ASCII);
    return transfer(WRITE, NODE, offset, data.length, data);
  }

  private FuseRequest fsync() {
    return request(FSYNC, NODE, new byte[16]);
  }

  private Answer answer(Disk disk, FuseRequest request) throws InterruptedException {
    disk.accept(request);
    return answer(request);
  }

  private Answer answer(FuseRequest request) throws InterruptedException {
    Answer answer = kernel.answers.take();
    assertThat(answer.unique).isEqualTo(request.unique());
    return answer;
  }

  private String text(Disk disk, long node, int size) throws InterruptedException {
    Answer answer = answer(disk, transfer(READ, node, 0, size, new byte[0]));
    assertThat(answer.error).isZero();
    assertThat(answer.content.remaining()).isEqualTo(size);
    return US_ASCII.decode(answer.content).toString();
  }

  @Test
  void agreesOnTheVersionAndOnLargeTransfers() throws Exception {
    Disk disk = disk(Duration.ZERO);
    ByteBuffer content =
        ByteBuffer.allocate(64)
            .order(ByteOrder.nativeOrder())
            .putInt(7)
            .putInt(45)
            .putInt(131_072)
            .putInt(-1);
    ByteBuffer out = answer(disk, request(INIT, 0, content.array())).content;
    assertThat(out.remaining()).isEqualTo(64);
    assertThat(out.getInt()).isEqualTo(7);
    assertThat(out.getInt()).isLessThanOrEqualTo(45);
    assertThat(out.getInt()).isEqualTo(131_072);
    // FUSE_WRITEBACK_CACHE and FUSE_NO_OPEN_SUPPORT would keep writes from the disk.
    assertThat(out.getInt() & (1 << 16 | 1 << 17)).isZero();
    assertThat(out.getInt(16 + 20)).isEqualTo(1 << 20);
    assertThat(out.getShort(16 + 28)).isEqualTo((short) 256);

    content.putInt(0, 8);
    assertThat(answer(disk, request(INIT, 0, content.array())).content.getInt()).isEqualTo(7);
    content.putInt(0, 6);
    assertThat(answer(disk, request(INIT, 0, content.array())).error).isNegative();
  }

  @Test
  void hasOneFile() throws Exception {
    Disk disk = disk(Duration.ZERO);
    Answer found = answer(disk, request(LOOKUP, 1, "disk-2\0".getBytes(US_ASCII)));
    assertThat(found.error).isZero();
    assertThat(found.content.remaining()).isEqualTo(128);
    assertThat(found.content.getLong()).isEqualTo(NODE);
    assertAttributes(found.content.position(16 + 40), NODE, SIZE, 0100600);
    assertThat(answer(disk, request(LOOKUP, 1, "disk\0".getBytes(US_ASCII))).error).isEqualTo(-2);

    Answer root = answer(disk, request(GETATTR, 1, new byte[16]));
    assertThat(root.content.remaining()).isEqualTo(104);
    assertAttributes(root.content.position(16 + 16), 1, 0, 0040700);
    Answer opened = answer(disk, request(OPEN, NODE, new byte[8]));
    assertThat(opened.content.remaining()).isEqualTo(16);
    assertThat(opened.content.getInt(16 + 8)).as("FOPEN_DIRECT_IO").isEqualTo(1);
    assertThat(answer(disk, request(43, NODE, new byte[32])).error).as("FALLOCATE").isEqualTo(-38);
  }

  /** Checks a {@code fuse_attr} at the position. */
  private static void assertAttributes(ByteBuffer content, long node, long size, int mode) {
    int start = content.position();
    assertThat(content.getLong(start)).isEqualTo(node);
    assertThat(content.getLong(start + 8)).isEqualTo(size);
    assertThat(content.getInt(start + 60)).isEqualTo(mode);
    assertThat(content.limit()).isEqualTo(start + 88);
  }

  @Test
  void keepsWhatWasFlushedAndContinuesAsAnotherFile() throws Exception {
    Disk disk = disk(Duration.ZERO);
    assertThat(answer(disk, write(0, "old")).content.getInt()).isEqualTo(3);
    assertThat(answer(disk, fsync()).error).isZero();
    answer(disk, write(0, "new"));
    assertThat(text(disk, NODE, 3)).isEqualTo("new");
    assertThat(disk.freeze()).isEqualTo(new WriteCache.Unflushed(1, 3));

    assertThat(disk.cut()).isTrue();
    assertThat(disk.cut()).isFalse();
    assertThat(answer(disk, write(0, "bad")).error).isEqualTo(EIO);
    assertThat(answer(disk, fsync()).error).isEqualTo(EIO);
    assertThat(disk.recover(false, 1, 512).sectors()).isEqualTo(1);

    assertThat(disk.name()).isEqualTo("disk-3");
    assertThat(answer(disk, write(0, "bad")).error).isEqualTo(EIO);
    assertThat(answer(disk, fsync()).error).isEqualTo(EIO);
    assertThat(text(disk, NODE + 1, 3)).isEqualTo("old");
    assertThat(disk.served()).isEqualTo(new Disk.Served(2, 1));
    assertThat(troubles).isEmpty();
  }

  @Test
  void holdsFlushesUntilTheCutAndWritesUntilTheFreeze() throws Exception {
    Disk disk = disk(Duration.ZERO);
    disk.hold();
    FuseRequest flush = fsync();
    disk.accept(flush);
    assertThat(answer(disk, write(0, "a")).error).isZero();
    assertThat(disk.freeze()).isEqualTo(new WriteCache.Unflushed(1, 1));
    FuseRequest late = write(0, "b");
    start(
        new Thread(
            () -> {
              try {
                disk.accept(late);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
    eventually("it waits", () -> threads.get(0).getState() == Thread.State.WAITING);
    assertThat(kernel.answers).isEmpty();
    disk.cut();
    assertThat(answer(flush).error).isEqualTo(EIO);
    assertThat(answer(late).error).isEqualTo(EIO);
    assertThat(disk.recover(false, 1, 512).unflushed()).isEqualTo(new WriteCache.Unflushed(1, 1));
  }

  @Test
  void aFlushThatIsUnderWayAtTheCutIsNeverAcknowledged() throws Exception {
    Disk disk = disk(Duration.ofDays(1));
    serveFlushes(disk);
    answer(disk, write(0, "a"));
    FuseRequest flush = fsync();
    disk.accept(flush);
    disk.freeze();
    disk.cut();
    assertThat(answer(flush).error).isEqualTo(EIO);
    disk.recover(false, 1, 512);
    assertThat(text(disk, NODE + 1, 1)).isEqualTo("\0");
    assertThat(disk.served().flushes()).isZero();
  }

  /** An engine that waits for its flush need not have flushed in time. */
  @Test
  void aFlushUnderWayKeepsItBusyAndAPauseDoesNot() throws Exception {
    Disk idle = disk(Duration.ofDays(1));
    answer(idle, write(0, "a"));
    Thread.sleep(550);
    idle.freeze();
    assertThat(idle.busyNanos()).isZero();
    cache.close();
    Disk busy = disk(Duration.ofDays(1));
    answer(busy, write(0, "a"));
    busy.accept(fsync());
    Thread.sleep(550);
    answer(busy, write(0, "b"));
    busy.freeze();
    assertThat(busy.busyNanos()).isGreaterThan(Duration.ofMillis(550).toNanos());
  }

  @Test
  void aFlushCoversTheWritesBeforeIt() throws Exception {
    Disk disk = disk(Duration.ofMillis(100));
    serveFlushes(disk);
    answer(disk, write(0, "a"));
    FuseRequest flush = fsync();
    long issued = System.nanoTime();
    disk.accept(flush);
    disk.accept(write(4096, "b"));
    assertThat(List.of(kernel.answers.take(), kernel.answers.take()))
        .allMatch(answer -> answer.error == 0)
        .anyMatch(answer -> answer.unique == flush.unique());
    assertThat(System.nanoTime() - issued).isGreaterThanOrEqualTo(100_000_000);
    assertThat(disk.freeze()).isEqualTo(new WriteCache.Unflushed(1, 1));
  }

  private void serveFlushes(Disk disk) {
    start(
        new Thread(
            () -> {
              try {
                disk.serveFlushes();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
  }

  @Test
  void aFailureOfTheFilesBehindItIsNeverAcknowledged() throws Exception {
    Disk disk = disk(Duration.ZERO);
    answer(disk, write(0, "a"));
    cache.close();
    assertThat(answer(disk, write(0, "b")).error).isEqualTo(EIO);
    assertThat(answer(disk, fsync()).error).isEqualTo(EIO);
    assertThat(answer(disk, transfer(READ, NODE, 0, 1, new byte[0])).error).isEqualTo(EIO);
    assertThat(troubles).hasSize(3).first().asString().contains("ClosedChannelException");
  }

  @Test
  void losesItsPowerIfItStandsStillForTooLong() throws Exception {
    Disk disk = disk(Duration.ZERO);
    assertThat(disk.cutIfStuck(Duration.ofSeconds(1))).isFalse();
    disk.hold();
    long held = System.nanoTime();
    eventually("the cut", () -> disk.cutIfStuck(Duration.ofSeconds(1)));
    assertThat(System.nanoTime() - held).isGreaterThanOrEqualTo(Disk.LONGEST_WAIT.toNanos());
    assertThat(answer(disk, write(0, "a")).error).isEqualTo(EIO);
    assertThatThrownBy(disk::freeze).isInstanceOf(IllegalStateException.class);
  }
}
