package kvrank.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs contests and prints their table: {@code peers [--pairs N] [--seconds N] [--patience N]
 * [NAME…]}. A name stands for every row that begins with it; no name for all of them.
 */
public final class Peers {

  private static final int USAGE = 2;

  private final Path folder;
  private final Pacing pacing;

  private Peers(Path folder, Pacing pacing) {
    this.folder = folder;
    this.pacing = pacing;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Build build = new Build(Path.of(System.getProperty("kvrank.home", ".")).toAbsolutePath());
    PeersArguments asked;
    try {
      asked = PeersArguments.of(List.of(arguments));
    } catch (IllegalArgumentException e) {
      System.err.println("peers: " + e.getMessage());
      System.exit(USAGE);
      return;
    }
    List<Contest> contests = new ArrayList<>(new NoopContests(build, asked.pacing()).all());
    contests.addAll(new RedisContests(build, asked.pacing()).all());
    contests.addAll(new RocksDbContests(build, asked.pacing()).all());
    contests.add(StartContest.of(build));
    List<Contest> chosen = contests.stream().filter(c -> asked.chooses(c.name())).toList();
    if (chosen.isEmpty()) {
      System.err.println(
          "peers: there is no such row; the rows are "
              + String.join(", ", contests.stream().map(Contest::name).toList()));
      System.exit(USAGE);
    }
    new Peers(build.home().resolve("benchmarks/target/peers"), asked.pacing()).print(chosen);
  }

  private void print(List<Contest> contests) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (Contest contest : contests) {
      if (contest.missing().isPresent()) {
        skipped.add("SKIPPED " + contest.name() + ": " + contest.missing().get());
        System.err.println(skipped.get(skipped.size() - 1));
        continue;
      }
      try {
        lines.add(run(contest).markdown());
      } catch (IOException e) {
        skipped.add("FAILED " + contest.name() + ": " + e.getMessage());
      }
      System.err.println(lines.isEmpty() ? skipped : lines.get(lines.size() - 1));
    }
    System.out.println(Row.HEAD);
    lines.forEach(System.out::println);
    skipped.forEach(System.out::println);
  }

  private Row run(Contest contest) throws IOException, InterruptedException {
    Row row = new Row(contest);
    try (Contest.Stage stage = contest.opening().open(folder.resolve(contest.name()))) {
      for (int pair = 0; pair < pacing.pairs(); pair++) {
        Measurement own = quietly(stage, row, () -> Optional.of(stage.kvrank())).orElseThrow();
        Optional<Measurement> other =
            contest.peer().isEmpty() ? Optional.empty() : quietly(stage, row, stage::peer);
        row.add(own, other);
        System.err.printf(
            "%s %d/%d: kvrank %s, peer %s%n",
            contest.name(),
            pair + 1,
            pacing.pairs(),
            Figures.of(own.value()),
            Figures.of(other.map(Measurement::value).orElse(Double.NaN)));
      }
    }
    return row;
  }

  private interface Side {
    Optional<Measurement> measure() throws IOException, InterruptedException;
  }

  private Optional<Measurement> quietly(Contest.Stage stage, Row row, Side side)
      throws IOException, InterruptedException {
    if (!Machine.awaitQuiet(pacing.patienceSeconds())) {
      System.err.println("The machine did not become quiet; measuring all the same.");
    }
    Machine.Ticks before = Machine.ticks();
    long ownBefore = Machine.ownTicks() + stage.serverTicks();
    Optional<Measurement> measurement = side.measure();
    Machine.Ticks after = Machine.ticks();
    double all = after.all() - before.all();
    double idle = after.idle() - before.idle();
    double own = Machine.ownTicks() + stage.serverTicks() - ownBefore;
    row.addNoise(Math.max(0, (all - idle - own) / all));
    return measurement;
  }
}
