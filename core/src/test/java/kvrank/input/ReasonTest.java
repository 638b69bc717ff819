package kvrank.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvrank.Wording;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ReasonTest {

  @RegisterExtension final Wording wording = new Wording();

  @TempDir private Path folder;

  private static String located(ThrowingCallable action) {
    return Reason.located(catchThrowableOfType(IOException.class, action));
  }

  @Test
  void aFailureOfAFileIsItsPathAndASentence() throws IOException {
    Path gone = folder.resolve("gone");
    Path file = Files.writeString(folder.resolve("file"), "");
    Path below = file.resolve("x");

    assertThat(located(() -> Files.createTempFile(gone, "probe", "")))
        .startsWith("'" + gone)
        .endsWith("': it does not exist");
    assertThat(located(() -> new FileOutputStream(gone.resolve("x").toFile()).close()))
        .isEqualTo("'%s/x': No such file or directory", gone);
    assertThat(located(() -> Files.createDirectories(file))).isEqualTo("'%s': it is a file", file);
    assertThat(located(() -> Files.createFile(below)))
        .isEqualTo("'%s': Not a directory; a folder in the path is a file", below);
    IOException gones = catchThrowableOfType(IOException.class, () -> Files.size(gone));
    assertThat(Reason.located(new UncheckedIOException(gones)))
        .isEqualTo("'%s': it does not exist", gone);
  }

  @Test
  void aLimitOfTheMachineHasTheNextStep() {
    wording.check(Reason.located(new FileSystemException("/x", null, "Too many open files")));
    assertThat(Reason.located(new IOException("Too many open files"))).contains("ulimit -n");
    wording.check(
        Reason.of(
            new IOException(
                "Cannot run program \"java\" (in directory \"/d\"): error=24, Too many open"
                    + " files")));
  }

  @Test
  void aProgramThatIsGoneIsNamed() {
    String none = folder.resolve("none").toString();

    assertThat(located(() -> new ProcessBuilder(none).start()))
        .isEqualTo("'%s' cannot be run: No such file or directory", none);
  }

  @Test
  void noTypeOfJavaIsSaidButOfADefect() {
    assertThat(Reason.of(new UnknownHostException("nowhere"))).isEqualTo("unknown host");
    assertThat(Reason.of(new IOException())).doesNotContain("Exception");
    wording.check(Reason.of(new IllegalStateException("x")));
  }
}
