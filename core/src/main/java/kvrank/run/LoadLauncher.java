package kvrank.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How the workers of several machines, the generators, are started.
 *
 * @param kind by what
 * @param where the partition of a Slurm cluster; empty for its default
 */
public record LoadLauncher(Kind kind, String where) {

  /** What starts them. */
  public enum Kind {
    /** As so many processes of this machine, which is for tests. */
    LOCAL,
    /** One task on each of so many nodes, all or none of them. */
    SLURM
  }

  /** Workers of this machine alone. */
  public static final LoadLauncher LOCAL = new LoadLauncher(Kind.LOCAL, "");

  /** Returns the launcher that {@code --load-by} names; empty if there is none of that name. */
  public static Optional<LoadLauncher> of(String text) {
    if (text.equals("local")) {
      return Optional.of(LOCAL);
    }
    if (text.equals("slurm")) {
      return Optional.of(new LoadLauncher(Kind.SLURM, ""));
    }
    return text.matches("slurm:[\\w.-]+")
        ? Optional.of(new LoadLauncher(Kind.SLURM, text.substring("slurm:".length())))
        : Optional.empty();
  }

  /** Returns whether generators are on other machines. */
  public boolean remote() {
    return kind != Kind.LOCAL;
  }

  /**
   * Returns the commands that start all of them.
   *
   * @param worker the command of a worker, without its arguments
   * @return one command for each, or one for all, whose lines then begin with the number of the
   *     generator and a colon
   */
  List<List<String>> commands(int machines, List<String> worker) {
    if (kind == Kind.LOCAL) {
      return IntStream.range(0, machines)
          .mapToObj(part -> with(worker, "generator", part + "/" + machines))
          .toList();
    }
    List<String> command = new ArrayList<>(List.of("srun", "--label", "--immediate=3"));
    command.addAll(List.of("--nodes=" + machines, "--ntasks=" + machines, "--ntasks-per-node=1"));
    command.addAll(List.of("--exclusive", "--kill-on-bad-exit=1", "--job-name=kvrank"));
    if (!where.isEmpty()) {
      command.add("--partition=" + where);
    }
    String all = "exec \"$@\" generator $SLURM_PROCID/" + machines;
    command.addAll(List.of("sh", "-c", all, "sh"));
    command.addAll(worker);
    return List.of(command);
  }

  private static List<String> with(List<String> command, String... arguments) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of(arguments));
    return whole;
  }
}
