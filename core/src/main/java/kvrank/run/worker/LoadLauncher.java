package kvrank.run.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.input.Reason;
import kvrank.provision.host.CommandOutput;

/** Starts workers in a Slurm partition (empty for the default), or on listed hosts or pods. */
public record LoadLauncher(Kind kind, String where) {

  public enum Kind {
    /** As processes of this machine, for tests. */
    LOCAL,
    /** One task on each node, all or none of them. */
    SLURM,
    /** One on each host, by its own connection. */
    SSH,
    /** One in each pod, likewise; untested. */
    KUBECTL
  }

  /** The values of {@code --load-by}, for messages. */
  public static final String FORMS = "local, slurm[:PARTITION], ssh:HOST,… or kubectl:POD,…";

  /** A host's name must not start with a hyphen, which would make it an option. */
  private static final Pattern FORM =
      Pattern.compile(
          "local|slurm(:[\\w.-]+)?|(ssh|kubectl):[\\w:][\\w.:@%-]*(,[\\w:][\\w.:@%-]*)*");

  /** Longer than srun takes to report that a cluster's controller does not answer. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  /** Starts workers on this machine only. */
  public static final LoadLauncher LOCAL = new LoadLauncher(Kind.LOCAL, "");

  /** Returns the launcher of a {@code --load-by} value; empty if it is invalid. */
  public static Optional<LoadLauncher> of(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String where = colon < 0 ? "" : text.substring(colon + 1);
    return Optional.of(new LoadLauncher(Kind.valueOf(kind.toUpperCase(Locale.ROOT)), where));
  }

  public boolean remote() {
    return kind != Kind.LOCAL;
  }

  /** Returns whether one command starts all of them. */
  boolean together() {
    return kind == Kind.SLURM;
  }

  /** Returns one command each, or one for all, whose output lines start with number and colon. */
  List<List<String>> commands(int machines, List<String> worker) {
    if (!together()) {
      return IntStream.range(0, machines)
          .mapToObj(part -> at(part, with(worker, List.of("generator", part + "/" + machines))))
          .toList();
    }
    List<String> command = srun(machines, "--label", "--immediate=3", "--kill-on-bad-exit=1");
    String script = "exec \"$@\" generator $SLURM_PROCID/" + machines;
    command.addAll(List.of("sh", "-c", script, "sh"));
    return List.of(with(command, worker));
  }

  private List<String> at(int machine, List<String> command) {
    return switch (kind) {
      // A remote shell splits the command into words again.
      case SSH ->
          with(
              List.of("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"),
              with(
                  List.of(names()[machine], "exec"),
                  command.stream().map(word -> "'" + word.replace("'", "'\\''") + "'").toList()));
      case KUBECTL -> with(List.of("kubectl", "exec", "-i", names()[machine], "--"), command);
      case LOCAL, SLURM -> command;
    };
  }

  private String[] names() {
    return where.split(",", -1);
  }

  private List<String> srun(int machines, String... options) {
    List<String> command =
        with(List.of("srun", "--job-name=kvrank", "--exclusive"), List.of(options));
    command.addAll(List.of("--nodes=" + machines, "--ntasks=" + machines, "--ntasks-per-node=1"));
    if (!where.isEmpty()) {
      command.add("--partition=" + where);
    }
    return command;
  }

  /** Returns the launcher's reason why these generators can never start; starts none. */
  public Optional<String> problem(int machines, Path home) throws InterruptedException {
    if (kind == Kind.LOCAL) {
      return Optional.empty();
    }
    if (together()) {
      return problem(with(srun(machines, "--test-only"), List.of("true")));
    }
    long different = Stream.of(names()).distinct().count();
    if (different < names().length) {
      return Optional.of("it names one of them twice");
    }
    if (different < machines) {
      return Optional.of(
          "it names '%d' of the '%d' machines that the load needs".formatted(different, machines));
    }
    Optional<String> problem = Optional.empty();
    for (int machine = 0; machine < machines && problem.isEmpty(); machine++) {
      String name = names()[machine];
      problem =
          problem(at(machine, List.of("ls", "-d", home.resolve("worker").toString())))
              .map(why -> why.contains(name) ? why : name + ": " + why);
    }
    return problem;
  }

  static Optional<String> problem(List<String> command) throws InterruptedException {
    try {
      Optional<CommandOutput> check = CommandOutput.of(new ProcessBuilder(command), ANSWER);
      if (check.isEmpty()) {
        return Optional.of(
            "%s has not answered within %d s".formatted(command.get(0), ANSWER.toSeconds()));
      }
      return check.get().status() == 0
          ? Optional.empty()
          : Optional.of(
              check
                  .get()
                  .text()
                  .strip()
                  .replaceAll("(?m)^srun: (error: )?|^E\\d{4} .*\\n", "")
                  .replaceAll("\r?\n", "; "));
    } catch (IOException e) {
      return Optional.of(
          "'%s' cannot be run here (%s); install the client of your cluster"
              .formatted(command.get(0), Reason.of(e)));
    }
  }

  private static List<String> with(List<String> command, List<String> arguments) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(arguments);
    return whole;
  }
}
