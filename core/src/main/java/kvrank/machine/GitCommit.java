package kvrank.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kvrank.input.TrustedPath;

/**
 * Commits of Git checkouts. They are read from Git's files, so no hook or setting has an effect;
 * only {@link #ofOwn} runs Git.
 */
public final class GitCommit {

  /** What a commit is followed by if files of its checkout differ from it. */
  private static final String DIRTY = "-dirty";

  /** Compares with the commit; starts no daemon that watches files. */
  private static final String COMMAND =
      "git -c core.fsmonitor=false diff --quiet --no-ext-diff --no-textconv HEAD";

  private static final int PATIENCE_SECONDS = 30;

  private static final String HASH = "[0-9a-f]{40}([0-9a-f]{24})?";

  private GitCommit() {}

  /** Returns the commit of the checkout that {@code path} is in; empty if it is in none. */
  public static Optional<String> around(Path path) {
    for (Path folder = path.toAbsolutePath().normalize();
        folder != null;
        folder = folder.getParent()) {
      if (Files.exists(folder.resolve(".git"))) {
        return of(folder);
      }
    }
    return Optional.empty();
  }

  /** Returns the commit of the checkout whose top is {@code folder}; empty if it is not one. */
  public static Optional<String> of(Path folder) {
    Path entry = folder.resolve(".git");
    if (!trusted(entry)) {
      return Optional.empty();
    }
    // Worktrees and submodules have a file that names the folder.
    Path git =
        Files.isRegularFile(entry)
            ? SystemFile.text(entry)
                .flatMap(text -> SystemFile.find(text, "gitdir: (.+)"))
                .map(folder::resolve)
                .orElse(entry)
            : entry;
    Path common = SystemFile.text(git.resolve("commondir")).map(git::resolve).orElse(git);
    if (!trusted(git) || !trusted(common)) {
      return Optional.empty();
    }
    return SystemFile.text(git.resolve("HEAD"))
        .flatMap(
            head ->
                SystemFile.find(head, "ref: (refs/[^\\s]+)")
                    .flatMap(name -> commit(git, common, name))
                    .or(() -> Optional.of(head)))
        .filter(commit -> commit.matches(HASH));
  }

  /**
   * Returns the commit of the checkout that kvrank itself runs in, with {@code -dirty} if Git finds
   * that its files were changed. Settings of other checkouts could run commands. Without Git,
   * changes remain unknown.
   */
  public static Optional<String> ofOwn(Path folder) throws InterruptedException {
    Optional<String> commit = of(folder);
    return commit.isPresent() && changed(folder) ? commit.map(hash -> hash + DIRTY) : commit;
  }

  private static boolean changed(Path folder) throws InterruptedException {
    ProcessBuilder git =
        new ProcessBuilder(List.of(COMMAND.split(" ", -1)))
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    // As in a hook, which has variables that name another checkout.
    git.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    try {
      Process process = git.start();
      try {
        return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 1;
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether the path exists, and no untrusted user can make it lead to other files. */
  private static boolean trusted(Path path) {
    try {
      TrustedPath.requireExisting(path);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<String> commit(Path git, Path common, String name) {
    return SystemFile.text(git.resolve(name))
        .or(() -> SystemFile.text(common.resolve(name)))
        .or(
            () ->
                SystemFile.text(common.resolve("packed-refs")).flatMap(text -> packed(text, name)));
  }

  private static Optional<String> packed(String text, String name) {
    return text.lines()
        .filter(line -> line.endsWith(" " + name))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .findFirst();
  }
}
