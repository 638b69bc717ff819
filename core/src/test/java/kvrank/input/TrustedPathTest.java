package kvrank.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedPathTest {

  private static final int STRANGER = 12345;

  @TempDir private Path folder;

  private static Path give(Path file) throws IOException {
    return give(file, "unix:uid");
  }

  private static Path give(Path file, String attribute) throws IOException {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root can give files to another user");
    return Files.setAttribute(file, attribute, STRANGER, LinkOption.NOFOLLOW_LINKS);
  }

  private static Path mode(Path file, String permissions) throws IOException {
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static void sticky(Path file) throws IOException {
    Files.setAttribute(file, "unix:mode", 01777);
  }

  private static void assertRefused(Path path, Path folder, String reason) {
    assertThatIOException()
        .isThrownBy(() -> TrustedPath.require(path))
        .withMessage(
            "another user can replace '%s', as '%s' %s; use another folder, or trust it:"
                + " KVRANK_TRUST_FOLDERS=%2$s",
            path, folder, reason);
  }

  @Test
  void whereAllUsersCanWriteANameCanBeReplaced() throws Exception {
    Path open = mode(Files.createDirectory(folder.resolve("open")), "rwxrwxrwx");
    Path own = Files.createDirectory(open.resolve("own"));

    for (Path path : new Path[] {open, own, own.resolve("new/file")}) {
      assertRefused(path, open, "is writable for all users (chmod o-w)");
    }
    sticky(open);
    TrustedPath.require(own.resolve("new/file"));
  }

  @Test
  void aFolderOfAnotherUserIsRefusedWhereverItIsOnThePath() throws Exception {
    Path alien = Files.createDirectory(folder.resolve("alien"));
    Path own = Files.createDirectory(alien.resolve("own"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), own);
    Path relative = Files.createSymbolicLink(folder.resolve("relative"), Path.of("alien/../alien"));
    TrustedPath.createFolder(link);
    give(alien);

    for (Path path : new Path[] {own, own.resolve("new"), link, relative.resolve("own")}) {
      assertRefused(path, alien, "belongs to the user 12345");
    }
    TrustedPath.require(own.resolve("../../elsewhere").normalize());
  }

  @Test
  void aDotBeforeTheParentIsNoName() throws Exception {
    Path alien = give(Files.createDirectory(folder.resolve("alien")));
    Path here = Files.createDirectory(folder.resolve("here"));
    Path dotted = Path.of(here + "/./../alien/new");
    String refusal = TrustedPath.problem(alien.resolve("new")).orElseThrow();
    assertThat(TrustedPath.problem(dotted).orElseThrow())
        .isEqualTo(refusal.replace(alien.resolve("new").toString(), dotted.toString()));
  }

  @Test
  void aNameOfAnotherUserInAStickyFolderIsRefused() throws Exception {
    sticky(folder);
    Path target = Files.createDirectory(folder.resolve("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    Path file = Files.writeString(folder.resolve("file"), "");
    TrustedPath.require(link);
    give(link);
    give(file);

    assertRefused(link.resolve("new"), link, "belongs to the user 12345");
    Path dangling =
        give(Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none")));
    assertThatIOException()
        .isThrownBy(() -> TrustedPath.createFolder(dangling.resolve("new")))
        .withMessageContaining("as '%s' belongs to the user 12345", dangling);
    assertRefused(file, file, "belongs to the user 12345");
    mode(folder, "rwxr-xr-x");
    TrustedPath.require(link);
    TrustedPath.require(file);
  }

  @Test
  void onlyAGroupOfOneUserMayWrite() throws Exception {
    mode(folder, "rwxrwxr-x");
    give(folder, "unix:gid");
    assertRefused(folder, folder, "is writable for the group 12345 (chmod g-w)");
    Files.setAttribute(folder, "unix:gid", 0);
    TrustedPath.require(folder);
  }

  @Test
  void aNamedFolderIsTrustedAndSoIsTheOwnerOfKvrank() throws Exception {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path alien = mode(Files.createDirectory(folder.resolve("alien")), "rwxrwxrwx");
    Optional<String> named = Optional.of("/elsewhere:" + alien);

    assertThat(TrustedPath.here(home, Optional.empty()).check(alien)).isPresent();
    assertThat(TrustedPath.here(home, named).check(alien.resolve("new"))).isEmpty();
    mode(home, "rwxrwxrwx");
    assertThat(TrustedPath.here(home, Optional.empty()).check(alien)).isEmpty();

    mode(home, "rwxr-xr-x");
    mode(give(alien), "rwxr-xr-x");
    assertThat(TrustedPath.here(home, Optional.empty()).check(alien)).isPresent();
    give(home);
    assertThat(TrustedPath.here(home, Optional.empty()).check(alien)).isEmpty();
  }

  @Test
  void linksInACircleEnd() throws Exception {
    Path link = folder.resolve("link");
    Files.createSymbolicLink(link, link);
    assertThatIOException()
        .isThrownBy(() -> TrustedPath.require(link))
        .withMessageContaining("has too many links");
  }

  @Test
  void aProgramThatAllUsersCanChangeIsNotRun() throws Exception {
    Path program = mode(Files.createFile(folder.resolve("redis-server")), "rwxrwxr-x");
    TrustedPath.requireProgram(program);
    mode(program, "rwxrwxrwx");
    assertThatIOException()
        .isThrownBy(() -> TrustedPath.requireProgram(program))
        .withMessage("all users can change '%s' (chmod o-w); install it again", program);
  }

  @Test
  void codeThatAnotherUserCanChangeIsFoundWhereverItIsInAFolder() throws Exception {
    Path module = Files.createDirectory(folder.resolve("module"));
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Path jar = Files.writeString(lib.resolve("a.jar"), "");
    Files.createSymbolicLink(module.resolve("lib"), lib);
    for (Path code : List.of(module, jar)) {
      assertThat(TrustedPath.changeable(code)).isEmpty();
      mode(jar, "rw-r--rw-");
      assertThat(TrustedPath.changeable(code).orElseThrow())
          .contains("as '%s' is writable for all users (chmod o-w)".formatted(jar));
      mode(jar, "rw-r--r--");
      mode(lib, "rwxr-xrwx");
      assertThat(TrustedPath.changeable(code).orElseThrow())
          .contains("as '%s' is writable for all users (chmod o-w)".formatted(lib));
      mode(lib, "rwxr-xr-x");
    }
    sticky(lib);
    assertThat(TrustedPath.changeable(jar)).isEmpty();
    assertThat(TrustedPath.changeable(module)).as("others can add a jar").isPresent();
    mode(lib, "rwxr-xr-x");
    give(jar);
    assertThat(TrustedPath.changeable(module).orElseThrow())
        .contains("as '%s' belongs to the user 12345".formatted(jar));
  }

  @Test
  void aPasswordThatAnotherUserCanReplaceIsNotRead() throws Exception {
    Path file = mode(Files.writeString(folder.resolve("password"), "x"), "rw-------");
    Secret secret = new Secret(Secret.Source.FILE, file.toString());
    assertThat(secret.read()).isEqualTo("x");
    mode(folder, "rwxrwxrwx");

    assertThatIOException()
        .isThrownBy(secret::read)
        .withMessageContaining("cannot be read: another user can replace '%s'", file);
    assertThatIOException()
        .isThrownBy(() -> new Secret(Secret.Source.FILE, folder + "/geheim").read())
        .withMessageNotContaining("geheim");
  }

  @Test
  void aPasswordThatAnotherUserCanReadIsNotUsed() throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "x");
    Secret secret = new Secret(Secret.Source.FILE, file.toString());
    for (String open : List.of("rw----r--", "rw-----w-", "rw-rw-rw-")) {
      mode(file, open);
      assertThatIOException()
          .isThrownBy(secret::read)
          .withMessageStartingWith("the file '%s' can be read or changed by other users", file)
          .withMessageContaining("run chmod 600 on it")
          .withMessageEndingWith("KVRANK_TRUST_FOLDERS=" + folder.toRealPath());
    }
    mode(file, "rw-r-----");
    if (Files.getAttribute(file, "unix:gid").equals(0)) {
      assertThat(secret.read()).isEqualTo("x");
    }
    mode(file, "rw-r--r--");
    Optional<String> trusted = Optional.of(folder.toRealPath().toString());
    assertThat(TrustedPath.here(folder, trusted).exposed(file)).isEmpty();
    mode(file, "r--------");
    assertThat(secret.read()).isEqualTo("x");
    Path link = Files.createLink(folder.resolve("link"), file);
    assertThatIOException()
        .isThrownBy(secret::read)
        .withMessageContaining("' has a second hard link; copy it, or trust its folder: KVRANK_");
    assertThat(TrustedPath.here(folder, trusted).exposed(file)).isEmpty();
    Files.delete(link);
    give(file);
    assertThatIOException()
        .isThrownBy(secret::read)
        .withMessageContaining("belongs to the user 12345; give it to yourself");
  }

  @Test
  void aKeyIsPrivateAndACertificateIsNot() throws Exception {
    Path file = Files.writeString(folder.resolve("a.pem"), "-----BEGIN CERTIFICATE-----");
    Secret pem = new Secret(Secret.Source.PEM, file.toString());
    assertThat(pem.read()).startsWith("-----BEGIN");
    Files.writeString(file, "-----BEGIN RSA PRIVATE KEY-----");
    assertThatIOException().isThrownBy(pem::read).withMessageContaining("(mode 644)");
    mode(file, "rw-------");
    assertThat(pem.read()).startsWith("-----BEGIN");
  }

  @Test
  void aMissingNameIsNotTrustedIfItMustExist() throws Exception {
    Path missing = folder.resolve("a/b");
    TrustedPath.require(missing);
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> TrustedPath.requireExisting(missing));
    TrustedPath.createFolder(missing.resolve("../c"));
    assertThat(folder.resolve("a/c")).isDirectory();
    TrustedPath.requireExisting(missing);
    Path file = Files.writeString(missing.resolve("file"), "");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> TrustedPath.createFolder(file));
  }

  /** A missing name counted as trusted, at the check before the creation and at that after it. */
  @Test
  void aNameThatAppearsAndVanishesLeadsNowhere() throws Exception {
    Path victim = Files.createDirectory(folder.resolve("victim"));
    Path secret = mode(Files.writeString(victim.resolve("secret"), "x"), "rw-------");
    Path shared = Files.createDirectory(folder.resolve("shared"));
    sticky(shared);
    Path name = shared.resolve("name");
    Path link = give(Files.createSymbolicLink(shared.resolve("link"), victim));
    AtomicBoolean over = new AtomicBoolean();
    Thread stranger =
        new Thread(
            () -> {
              while (!over.get()) {
                // A folder that was created meanwhile stays.
                boolean moved = link.toFile().renameTo(name.toFile());
                if (moved && !name.toFile().renameTo(link.toFile())) {
                  return;
                }
              }
            });
    stranger.start();
    try {
      for (int i = 0; i < 2_000; i++) {
        assertThat(catchThrowable(new Secret(Secret.Source.FILE, name + "/secret")::read))
            .isInstanceOf(IOException.class);
        try {
          TrustedPath.createFolder(name.resolve("new"));
          assertThat(Files.isSymbolicLink(name)).isFalse();
          Files.delete(name.resolve("new"));
          Files.delete(name);
        } catch (IOException refused) {
          // The link existed.
        }
        assertThat(secret).exists();
        assertThat(victim.resolve("new")).doesNotExist();
      }
    } finally {
      over.set(true);
      stranger.join();
    }
  }

  /** A simulated disk is in the mounts of its process only. */
  @Test
  void theRootOfAProcessLeadsToItsMounts() throws Exception {
    Path place = Files.createDirectory(folder.resolve("place"));
    String script = "mount -t tmpfs none \"$1\" && mkdir \"$1/inner\" && echo && read end";
    Process process =
        new ProcessBuilder("unshare", "--mount", "sh", "-c", script, "sh", place.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assumeTrue(process.getInputStream().read() == '\n', "only root can mount a tmpfs");
      Path inner = Path.of("/proc/%d/root%s/inner".formatted(process.pid(), place.toRealPath()));
      TrustedPath.createFolder(inner.resolve("new"));
      assertThat(inner.resolve("new")).isEmptyDirectory();
      assertThat(place).isEmptyDirectory();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
