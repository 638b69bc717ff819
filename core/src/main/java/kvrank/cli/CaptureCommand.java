package kvrank.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.binding.Endpoint;
import kvrank.binding.HostPort;
import kvrank.binding.Tls;
import kvrank.capture.Capture;
import kvrank.scenario.Secret;
import kvrank.workload.DurationFormat;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;

/** Looks at a server that is in use, and writes its traffic as a scenario. */
final class CaptureCommand extends Command {

  private static final String ADDRESS = "redis://HOST:PORT, or rediss://HOST:PORT for TLS";

  private static final Pattern FORM = Pattern.compile("redis(?<tls>s)?://(?<place>.+)");

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
  private final ArgSpec user =
      takes(option("--user", "NAME", String.class, "The user to log in as."));
  private final ArgSpec passwordEnv =
      takes(
          option(
              "--password-env",
              "NAME",
              String.class,
              "The variable of the environment that has the password."));
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

  CaptureCommand(Installation installation, Terminal terminal) {
    super(
        installation,
        terminal,
        "Look at a server of Redis's protocol that is in use, and write its traffic as a scenario.",
        "Reads only, little at a time, and ends when the server slows down. No key and no value is"
            + " written anywhere.");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Capture.Question question =
        new Capture.Question(
            endpoint(), time(), accesses.getValue(), exact.getValue(), values.getValue());
    Path file = out.<Path>getValue().toAbsolutePath();
    if (Files.exists(file)) {
      throw wrong("-o '" + out.getValue() + "' exists; remove it, or name another");
    } else if (!Files.isWritable(file.getParent())) {
      throw wrong("-o '" + out.getValue() + "': no file can be written there");
    }
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
    Matcher form = FORM.matcher(text);
    HostPort place =
        Optional.of(form)
            .filter(Matcher::matches)
            .flatMap(found -> HostPort.of(found.group("place")))
            .orElseThrow(() -> wrong("'" + text + "' is no address, which is " + ADDRESS));
    boolean secure = form.group("tls") != null;
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
    Secret secret =
        variable == null
            ? new Secret(Secret.Source.FILE, file.toString())
            : new Secret(Secret.Source.ENV, variable);
    try {
      return Optional.of(secret.read());
    } catch (IOException e) {
      throw wrong(
          variable == null
              ? "the file that --password-file names cannot be read, or is empty"
              : "the variable that --password-env names is not there, or is empty");
    }
  }

  private Duration time() {
    Optional<Duration> stated = DurationFormat.parse(time.getValue());
    return stated
        .filter(each -> each.compareTo(Capture.LEAST) >= 0 && each.compareTo(Capture.MOST) <= 0)
        .orElseThrow(() -> wrong("--for is a time from 10s to 1h, such as 60s or 5m"));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
