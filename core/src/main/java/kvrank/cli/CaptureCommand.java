package kvrank.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import kvrank.binding.net.Endpoint;
import kvrank.binding.net.HostPort;
import kvrank.binding.net.Tls;
import kvrank.capture.Capture;
import kvrank.input.Secret;
import kvrank.workload.request.DurationFormat;
import picocli.CommandLine.Model.ArgSpec;

/** Looks at a server that is in use, and writes its traffic as a scenario. */
final class CaptureCommand extends Command {

  private static final String ADDRESS = "redis://HOST:PORT, or rediss://HOST:PORT for TLS";

  private final ArgSpec address =
      takes(word("ADDRESS", String.class, "The server: " + ADDRESS + ".").required(true));
  private final ArgSpec accesses =
      takesFlag(
          "--accesses",
          "Look which keys are popular, by short windows of MONITOR, which cost the server more.");
  private final ArgSpec exact =
      takesFlag(
          "--exact",
          "Ask for the exact lengths of values even if the server counts that as an access.");
  private final ArgSpec values =
      takesFlag(
          "--values", "Read some values, to see how far a compressor gets; an access to them.");
  private final ArgSpec time =
      takes(
          option("--for", "TIME", String.class, "How long to look; default: 60s.")
              .defaultValue("60s"));
  private final ArgSpec user = takes("--user", "NAME", "The user to log in as.");
  private final ArgSpec passwordEnv =
      takes("--password-env", "NAME", "The variable of the environment that has the password.");
  private final ArgSpec passwordFile =
      takes(option("--password-file", "FILE", Path.class, "The file that has the password."));
  private final ArgSpec ca =
      takes(
          option(
              "--ca",
              "FILE",
              Path.class,
              "The certificates (PEM) that vouch for the server's; default: those the JVM trusts."));
  private final ArgSpec out =
      takes(
          option("-o", "FILE", Path.class, "The file to write; default: captured.yaml.")
              .defaultValue("captured.yaml"));

  CaptureCommand(Command parent) {
    super(
        parent,
        "Look at a server of Redis's protocol that is in use, and write its traffic as a scenario.",
        "Reads only, little at a time, and ends when the server slows down. No key and no value is"
            + " written anywhere.");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Capture.Question question =
        new Capture.Question(
            endpoint(), time(), accesses.getValue(), exact.getValue(), values.getValue());
    Path file = newFile(out);
    terminal
        .err()
        .printf(
            "looking at %s for %s%n", question.endpoint(), DurationFormat.format(question.time()));
    String scenario = Capture.of(question);
    Path part = Path.of("%s.%d.part".formatted(file, ProcessHandle.current().pid()));
    try {
      Files.writeString(part, scenario, StandardOpenOption.CREATE_NEW);
      Files.move(part, file);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          "%s was made meanwhile; what was captured is in %s".formatted(out.getValue(), part), e);
    } catch (IOException e) {
      Files.deleteIfExists(part);
      throw e;
    }
    terminal.out().printf("%s: './kvrank run %s' runs it%n", out.getValue(), out.getValue());
    return ExitStatus.COMPLETED;
  }

  private Endpoint endpoint() {
    String text = address.getValue();
    if (text.contains("@")) {
      throw wrong(
          "a user and a password do not stand in an address; '--user' and '--password-env' or"
              + " '--password-file' name them");
    }
    boolean secure = text.startsWith("rediss://");
    HostPort place =
        Optional.of(text)
            .filter(any -> any.matches("rediss?://.+"))
            .flatMap(any -> HostPort.of(any.substring(any.indexOf("//") + 2)))
            .orElseThrow(() -> wrong("'" + text + "' is no address, which is " + ADDRESS));
    Optional<Path> authorities = Optional.ofNullable(ca.getValue());
    if (authorities.isPresent() && !secure) {
      throw wrong("--ca is for a server at rediss://");
    }
    String name = user.getValue();
    Optional<String> password = password();
    if (name != null && password.isEmpty()) {
      throw wrong("a user needs a password, by --password-env NAME or --password-file FILE");
    }
    return new Endpoint(
        place.host(),
        place.port(),
        Capture.PATIENCE,
        Optional.ofNullable(name),
        password,
        secure ? Optional.of(new Tls(authorities)) : Optional.empty());
  }

  private Optional<String> password() {
    String variable = passwordEnv.getValue();
    Path file = passwordFile.getValue();
    if (variable != null && file != null) {
      throw wrong("--password-env and --password-file exclude each other");
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
      throw wrong(
          variable == null
              ? "the file that --password-file names cannot be read, or is empty"
              : "the variable that --password-env names is not there, or is empty");
    }
  }

  private Duration time() {
    return DurationFormat.parse(time.getValue())
        .filter(each -> each.compareTo(Capture.LEAST) >= 0 && each.compareTo(Capture.MOST) <= 0)
        .orElseThrow(() -> wrong("--for is a time from 10s to 1h, such as 60s or 5m"));
  }
}
