package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.worker.Main;
import kvrank.worker.WorkerCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerProcessTest {

  @TempDir private Path folder;

  @Test
  void theTailIsTheLastLines() throws IOException {
    assertThat(tail("")).isEmpty();
    assertThat(tail("one\ntwo\n")).isEqualTo("; the end of worker.log:\n  one\n  two");
    assertThat(tail(numbered("line ", 30))).endsWith("\n  line 30").doesNotContain("line 20");
    assertThat(WorkerProcess.tail(folder.resolve("none"))).contains("cannot be read");
  }

  @Test
  void theCauseOfACrashInNativeCodeComesBeforeItsStack() throws IOException {
    String log =
        "panic: a first one, which was no crash\n"
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
  void aCrashOfTheJvmIsSaidByItsReasonAndPlace() throws IOException {
    Path log = folder.resolve("worker.log");
    assertThat(WorkerProcess.crash(log)).isEmpty();
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
    assertThat(WorkerProcess.crash(log))
        .hasValue(
            ": SIGSEGV (0xb) in C [librocksdbjni.so+0x1131] rocksdb::DBImpl::Get(int)+0x11; see "
                + file);
    Files.writeString(file, "cut off");
    assertThat(WorkerProcess.crash(log)).isEmpty();
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

    assertThat(WorkerProcess.tail(log)).endsWith("\n  \uFFFDx");
    assertThat(WorkerProcess.crash(log)).isEmpty();
  }

  @Test
  void aWorkerThatDoesNotEndIsKilledAndThatIsSaid() throws Exception {
    Path log = folder.resolve("worker.log");
    try (WorkerProcess ended = start(List.of("-version"), log)) {
      assertThat(ended.stop(Duration.ofMinutes(1))).isEmpty();
    }
    try (WorkerProcess failed = start(List.of(), log)) {
      failed.tell(new WorkerCommand.Start("get"));
      assertThat(failed.stop(Duration.ofMinutes(1)))
          .hasValue("the controller said 'Start[phase=get]' before a spec");
    }
    try (WorkerProcess hung = start(List.of(), log)) {
      assertThat(hung.stop(Duration.ZERO))
          .hasValue(
              "it did not end within 0 s and was killed; where its threads were is in worker.log");
    }
  }

  @Test
  void whereAWorkerCrashedIsFoundInAFolderOfAnyName() throws Exception {
    Path log = Files.createDirectory(folder.resolve("100%p %% ü")).resolve("worker.log");
    try (WorkerProcess worker = start(List.of(), log)) {
      Path status = Path.of("/proc/%d/status".formatted(worker.pids().get(0)));
      while (!Files.readString(status)
          .matches("(?s).*SigCgt:\\s*[0-9a-f]*[4-7c-f][0-9a-f]{2}\n.*")) {
        Thread.sleep(5); // until it would see the signal
      }
      new ProcessBuilder("sh", "-c", "kill -SEGV " + worker.pids().get(0)).start().waitFor();
      assertThat(worker.stop(Duration.ofMinutes(1)))
          .hasValueSatisfying(how -> assertThat(how).contains(": SIGSEGV (0xb) in "));
    }
  }

  private static WorkerProcess start(List<String> jvm, Path log) throws IOException {
    return WorkerProcess.start(
        Optional.empty(),
        Optional.empty(),
        Main.class.getProtectionDomain().getCodeSource().getLocation().getPath(),
        jvm,
        new TreeMap<>(),
        log);
  }

  private static String numbered(String text, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> text + i + "\n")
        .collect(Collectors.joining());
  }

  private String tail(String text) throws IOException {
    return WorkerProcess.tail(Files.writeString(folder.resolve("worker.log"), text));
  }
}
