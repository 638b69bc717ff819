package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerLogTest {

  @TempDir private Path folder;

  @Test
  void theTailIsTheLastLines() throws IOException {
    assertThat(tail("")).isEmpty();
    assertThat(tail("one\ntwo\n")).isEqualTo("; the end of worker.log:\n  one\n  two");
    assertThat(tail(numbered("line ", 30))).endsWith("\n  line 30").doesNotContain("line 20");
    assertThat(new WorkerLog(folder.resolve("none")).tail()).contains("cannot be read");
  }

  @Test
  void theCauseOfACrashInNativeCodeComesBeforeItsStack() throws IOException {
    String log =
        "panic: a first one, without a crash\n"
            + numbered("early ", 20)
            + "fatal error: fault\n[signal SIGSEGV]\n\n"
            + numbered("frame ", 30);
    assertThat(tail(log))
        .startsWith("; the end of worker.log:\n  fatal error: fault\n  [signal SIGSEGV]")
        .doesNotContain("first one", "early", "frame 30");
    assertThat(tail("more\nthread '<unnamed>' panicked at src/lib.rs:1:1:\nboom\n"))
        .contains("more", "panicked at", "boom");
  }

  @Test
  void aJvmCrashIsReportedWithReasonAndLocation() throws IOException {
    Path log = folder.resolve("worker.log");
    assertThat(new WorkerLog(log).crash()).isEmpty();
    Path file = folder.resolve("hs_err-worker.log");
    Files.writeString(
        file,
        """
        #
        # A fatal error has been detected by the Java Runtime Environment:
        #
        #  SIGSEGV (0xb) at pc=0x00007faed0005131, pid=23203, tid=23320
        #
        # JRE version: OpenJDK Runtime Environment (17.0.15+6) (build 17.0.15+6-Debian-1deb12u1)
        # Problematic frame:
        # C  [librocksdbjni.so+0x1131]  rocksdb::DBImpl::Get(int)+0x11
        #
        """);
    assertThat(new WorkerLog(log).crash())
        .hasValue(
            ": SIGSEGV (0xb) in C [librocksdbjni.so+0x1131] rocksdb::DBImpl::Get(int)+0x11; see "
                + file);
    Files.writeString(file, "cut off");
    assertThat(new WorkerLog(log).crash()).isEmpty();
  }

  @Test
  void aLogOfAnySizeAndAnyBytesHasAnEnd() throws IOException {
    Path log = folder.resolve("worker.log");
    try (FileChannel sparse =
        FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      sparse.position(3L << 30);
      sparse.write(ByteBuffer.wrap(new byte[] {'\n', (byte) 0xff, 'x', '\n'}));
    }
    Files.createLink(folder.resolve("hs_err-worker.log"), log);

    assertThat(new WorkerLog(log).tail()).endsWith("\n  \uFFFDx");
    assertThat(new WorkerLog(log).crash()).isEmpty();
  }

  private static String numbered(String text, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> text + i + "\n")
        .collect(Collectors.joining());
  }

  private String tail(String text) throws IOException {
    return new WorkerLog(Files.writeString(folder.resolve("worker.log"), text)).tail();
  }
}
