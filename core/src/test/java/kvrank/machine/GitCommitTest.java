package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitCommitTest {

  @TempDir private Path folder;

  private String git(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 5];
    System.arraycopy(
        new String[] {"git", "-c", "user.name=a", "-c", "user.email=a@b"}, 0, command, 0, 5);
    System.arraycopy(arguments, 0, command, 5, arguments.length);
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }

  @Test
  void isTheOneThatGitReports() throws Exception {
    git("init", "-q", "-b", "main");
    git("commit", "-q", "--allow-empty", "-m", "one");
    String one = git("rev-parse", "HEAD");
    Path below = Files.createDirectories(folder.resolve("bindings/a"));

    assertThat(GitCommit.of(folder)).contains(one);
    assertThat(GitCommit.around(below)).contains(one);
    assertThat(GitCommit.of(below)).as("not the top of a checkout").isEmpty();

    git("commit", "-q", "--allow-empty", "-m", "two");
    git("pack-refs", "--all");
    assertThat(GitCommit.of(folder)).as("packed").contains(git("rev-parse", "HEAD"));

    git("worktree", "add", "-q", "-b", "feature", "tree", one);
    assertThat(GitCommit.of(folder.resolve("tree"))).as("a worktree").contains(one);

    git("checkout", "-q", "--detach", one);
    assertThat(GitCommit.of(folder)).as("detached").contains(one);
  }

  @Test
  void ofOwnShowsWhetherFilesDiffer() throws Exception {
    git("init", "-q", "-b", "main");
    Path file = Files.writeString(folder.resolve("file"), "one");
    git("add", "file");
    git("commit", "-q", "-m", "one");
    String one = git("rev-parse", "HEAD");
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    Files.writeString(folder.resolve("untracked"), "");
    assertThat(GitCommit.ofOwn(folder)).as("only touched").contains(one);

    Files.writeString(file, "two");
    assertThat(GitCommit.ofOwn(folder)).contains(one + "-dirty");
    git("add", "file");
    assertThat(GitCommit.ofOwn(folder)).as("staged").contains(one + "-dirty");
    assertThat(GitCommit.of(folder)).contains(one);

    git("commit", "-q", "-m", "two");
    assertThat(GitCommit.ofOwn(folder)).contains(git("rev-parse", "HEAD"));
    assertThat(GitCommit.ofOwn(folder.resolve("below"))).as("not the top").isEmpty();
  }

  @Test
  void isNotReadFromFilesOfAnotherUser() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root can give files to another user");
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "one");
    assertThat(GitCommit.of(folder)).isPresent();
    Files.setAttribute(folder.resolve(".git"), "unix:uid", 12345);
    assertThat(GitCommit.of(folder)).isEmpty();
  }

  @Test
  void isMissingWithoutOne() throws Exception {
    assertThat(GitCommit.of(folder)).isEmpty();
    git("init", "-q");
    assertThat(GitCommit.of(folder)).as("no commit yet").isEmpty();
    Files.writeString(folder.resolve(".git/HEAD"), "secret");
    assertThat(GitCommit.of(folder)).as("not a commit").isEmpty();
  }
}
