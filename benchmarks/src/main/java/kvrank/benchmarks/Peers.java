package kvrank.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.benchmarks.table.Figure;
import kvrank.benchmarks.table.Figures;
import kvrank.benchmarks.table.Pacing;
import kvrank.benchmarks.table.Pair;
import kvrank.benchmarks.table.PeerBenchmark;
import kvrank.benchmarks.table.Row;

/**
 * Runs contests and prints their table: {@code peers [--pairs N] [--seconds N] [--patience SECONDS]
 * [--noise PERCENT] [--against FOLDER] [NAME…]}. A name stands for every row that begins with it;
 * no name for all of them. With another build of kvrank in FOLDER, that is measured in the peers'
 * place.
 *
 * <p>Exit status 1: a row failed, missed its bar, or had too few quiet pairs for a verdict.
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
    List<PeerBenchmark> contests = contests(build, asked.pacing());
    if (asked.against().isPresent()) {
      Build other = new Build(asked.against().get());
      if (other.digest().equals(build.digest())) {
        System.err.println(
            "peers: %s holds the same code as %s: there is nothing to compare"
                .formatted(other.home(), build.home()));
        System.exit(USAGE);
      }
      contests = against(contests, contests(other, asked.pacing()), other);
    }
    List<PeerBenchmark> chosen = contests.stream().filter(c -> asked.chooses(c.name())).toList();
    if (chosen.isEmpty()) {
      System.err.println(
          "peers: there is no such row; the rows are "
              + String.join(", ", contests.stream().map(PeerBenchmark::name).toList()));
      System.exit(USAGE);
    }
    Peers peers = new Peers(build.home().resolve("benchmarks/target/peers"), asked.pacing());
    System.exit(peers.print(chosen) ? 0 : 1);
  }

  private static List<PeerBenchmark> contests(Build build, Pacing pacing)
      throws IOException, InterruptedException {
    List<PeerBenchmark> contests = new ArrayList<>(new NoopBenchmarks(build, pacing).all());
    contests.addAll(new RedisBenchmarks(build, pacing).all());
    contests.addAll(new RocksDbBenchmarks(build, pacing).all());
    contests.addAll(new LoopBenchmarks(build, pacing).all());
    contests.add(SamplingBenchmark.of(build, pacing));
    contests.addAll(new GatesBenchmarks(build, pacing).all());
    contests.addAll(StartBenchmark.of(build));
    contests.addAll(new ReportBenchmarks(build).all());
    return contests;
  }

  private static List<PeerBenchmark> against(
      List<PeerBenchmark> own, List<PeerBenchmark> others, Build other) throws IOException {
    String label = "kvrank " + other.digest().substring(0, 8);
    List<PeerBenchmark> contests = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      contests.add(own.get(i).against(others.get(i), label));
    }
    return contests;
  }

  /** Returns whether no row failed and all bars are met. */
  private boolean print(List<PeerBenchmark> contests) throws IOException, InterruptedException {
    List<String> rows = new ArrayList<>();
    List<String> gaps = new ArrayList<>();
    boolean met = true;
    for (PeerBenchmark contest : contests) {
      List<String> lines = rows;
      String line;
      if (contest.missing().isPresent()) {
        lines = gaps;
        line = "SKIPPED " + contest.name() + ": " + contest.missing().get();
      } else {
        try {
          Row row = run(contest);
          met &= row.met();
          line = row.markdown();
        } catch (IOException e) {
          lines = gaps;
          met = false;
          line = "FAILED " + contest.name() + ": " + e.getMessage();
        }
      }
      lines.add(line);
      System.err.println(line);
    }
    System.out.println(Row.HEAD);
    rows.forEach(System.out::println);
    gaps.forEach(System.out::println);
    return met;
  }

  private Row run(PeerBenchmark contest) throws IOException, InterruptedException {
    List<Pair> pairs = new ArrayList<>();
    long quiet = 0;
    try (PeerBenchmark.Stage stage = contest.opening().open(folder.resolve(contest.name()))) {
      while (quiet < pacing.pairs() && pairs.size() < pacing.mostPairs()) {
        // In turn, and each side first in turn: being second is neither's advantage.
        boolean first = pairs.size() % 2 == 0;
        Sample own = first ? sample(stage, () -> Optional.of(stage.kvrank())) : null;
        Sample other = contest.peer().isEmpty() ? Sample.NONE : sample(stage, stage::peer);
        if (own == null) {
          own = sample(stage, () -> Optional.of(stage.kvrank()));
        }
        double noise = Math.max(own.noise(), other.noise());
        Pair pair = new Pair(own.measurement().orElseThrow(), other.measurement(), noise);
        pairs.add(pair);
        quiet += pacing.quiet(pair) ? 1 : 0;
        System.err.printf(
            "%s, pair %d: kvrank %s, peer %s, noise %s %%%n",
            contest.name(),
            pairs.size(),
            Figures.of(own.value()),
            Figures.of(other.value()),
            Figures.of(100 * noise));
      }
    }
    return Row.of(contest, pairs, pacing);
  }

  private interface Side {
    Optional<Figure> measure() throws IOException, InterruptedException;
  }

  /**
   * One side once.
   *
   * @param noise the share of the machine that was used, and not by this
   */
  private record Sample(Optional<Figure> measurement, double noise) {

    private static final Sample NONE = new Sample(Optional.empty(), 0);

    private double value() {
      return measurement.map(Figure::value).orElse(Double.NaN);
    }
  }

  private Sample sample(PeerBenchmark.Stage stage, Side side)
      throws IOException, InterruptedException {
    Machine.awaitQuiet(pacing.patienceSeconds());
    Machine.Ticks before = Machine.ticks();
    long ownBefore = Machine.ownTicks() + stage.serverTicks();
    Optional<Figure> measurement = side.measure();
    Machine.Ticks after = Machine.ticks();
    double all = after.all() - before.all();
    double idle = after.idle() - before.idle();
    double own = Machine.ownTicks() + stage.serverTicks() - ownBefore;
    return new Sample(measurement, Math.max(0, (all - idle - own) / all));
  }
}
