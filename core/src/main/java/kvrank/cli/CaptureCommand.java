package kvrank.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import kvrank.binding.net.Endpoint;
import kvrank.binding.net.HostPort;
import kvrank.binding.net.Tls;
import kvrank.capture.Capture;
import kvrank.input.Secret;
import kvrank.results.ShellWord;
import kvrank.workload.request.DurationFormat;
import picocli.CommandLine.Model.ArgSpec;

/** Observes a live server and writes its traffic as a scenario. */
final class CaptureCommand extends Command {

  private static final String ADDRESS = "redis://HOST:PORT, or rediss://HOST:PORT for TLS";

  private static final FileAttribute<?> READABLE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));

  private final ArgSpec address =
      add(parameter("ADDRESS", String.class, "The server: " + ADDRESS + ".").required(true));
  private final ArgSpec accesses =
      addFlag(
          "--accesses",
          "Find out which keys are popular by short windows of MONITOR, which cost the server"
              + " more.");
  private final ArgSpec exact =
      addFlag(
          "--exact",
          "Ask for the exact lengths of values even if the server counts that as an access.");
  private final ArgSpec values =
      addFlag(
          "--values",
          "Read some values to estimate how well they compress; the server counts that as an"
              + " access.");
  private final ArgSpec time =
      add(
          option("--for", "TIME", String.class, "How long to observe (default: 60s).")
              .defaultValue("60s"));
  private final ArgSpec user = addText("--user", "NAME", "The user to log in as.");
  private final ArgSpec passwordEnv =
      addText("--password-env", "NAME", "The environment variable that holds the password.");
  private final ArgSpec passwordFile =
      add(option("--password-file", "FILE", Path.class, "The file that holds the password."));
  private final ArgSpec ca =
      add(
          option(
              "--ca",
              "FILE",
              Path.class,
              "Certificates (PEM) to verify the server's with (default: those that the JVM"
                  + " trusts)."));
  private final ArgSpec out =
      add(out("FILE", "The file to write (default: captured.yaml).").defaultValue("captured.yaml"));

  CaptureCommand(Command parent) {
    super(
        parent,
        "Observe a live server that speaks Redis's protocol, and write its traffic as a scenario.",
        "Only reads, a little at a time, and stops if the server slows down. No key or value is"
            + " written anywhere.");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Capture.Question question =
        new Capture.Question(
            endpoint(), time(), accesses.getValue(), exact.getValue(), values.getValue());
    Path file = newFile(out.getValue());
    terminal
        .err()
        .printf(
            "observing %s for %s%n", question.endpoint(), DurationFormat.format(question.time()));
    String scenario =
        Capture.of(question, text -> terminal.err().println(terminal.wrapped("warning: ", text)));
    // Under a name that no other user could take before.
    Path part = Files.createTempFile(file.getParent(), file.getFileName() + ".", ".part", READABLE);
    try {
      Files.writeString(part, scenario);
      Files.move(part, file);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          "%s was created in the meantime; the captured scenario is in %s"
              .formatted(out.getValue(), part),
          e);
    } catch (IOException e) {
      Files.deleteIfExists(part);
      throw e;
    }
    Path written = out.getValue();
    terminal.out().printf("wrote %s; to run it: ./kvrank run %s%n", written, ShellWord.of(written));
    return ExitStatus.COMPLETED;
  }

  private Endpoint endpoint() {
    String text = address.getValue();
    if (text.contains("@")) {
      throw usageError(
          "the address must not contain a user or password; give them with --user, and with"
              + " --password-env or --password-file");
    }
    boolean secure = text.startsWith("rediss://");
    HostPort place =
        Optional.of(text)
            .filter(url -> url.matches("rediss?://.+"))
            .flatMap(url -> HostPort.of(url.substring(url.indexOf("//") + 2)))
            .orElseThrow(() -> usageError("'" + text + "' is not an address; use " + ADDRESS));
    Optional<Path> authorities = Optional.ofNullable(ca.getValue());
    if (authorities.isPresent() && !secure) {
      throw usageError("--ca needs a server at rediss://");
    }
    Optional<String> login = Optional.ofNullable(user.getValue());
    Optional<String> password = password();
    if (login.isPresent() && password.isEmpty()) {
      throw usageError("a user needs a password; add --password-env NAME or --password-file FILE");
    }
    return new Endpoint(
        place.host(),
        place.port(),
        Capture.PATIENCE,
        login,
        password,
        secure ? Optional.of(new Tls(authorities)) : Optional.empty());
  }

  private Optional<String> password() {
    String variable = passwordEnv.getValue();
    Path file = passwordFile.getValue();
    if (variable != null && file != null) {
      throw usageError("give --password-env or --password-file, not both");
    }
    if (variable == null && file == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          variable == null
              ? new Secret(Secret.Source.FILE, file.toString()).read()
              : new Secret(Secret.Source.ENV, variable).read());
    } catch (IOException e) {
      // Without the name, which may be the password itself.
      throw usageError(
          variable == null
              ? Files.exists(file)
                  ? "the password cannot be used, as " + e.getMessage()
                  : "the file that --password-file names does not exist"
              : "the variable that --password-env names is empty or not set");
    }
  }

  private Duration time() {
    return DurationFormat.parse(time.getValue())
        .filter(span -> span.compareTo(Capture.LEAST) >= 0 && span.compareTo(Capture.MOST) <= 0)
        .orElseThrow(() -> usageError("--for must be a time from 10s to 1h, such as 60s or 5m"));
  }
}
