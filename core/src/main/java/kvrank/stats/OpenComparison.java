package kvrank.stats;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import kvrank.results.Manifest.Adaptive;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;

/**
 * What the repetitions so far do not answer of what an adaptive scenario asks: which engine has the
 * best throughput in each phase but the load, and by how much each other one has less.
 *
 * @param group the phase at a factor point
 * @param engine an engine that needs more repetitions
 * @param best the best by median, which then needs them too; {@code engine} itself if it is its own
 *     interval that is too wide
 * @param now what is known, for a person
 */
public record OpenComparison(Group group, String engine, String best, String now) {

  private static final int FEW = 4;

  /**
   * Returns what is open after so many repetitions; nothing if the scenario has a fixed number.
   *
   * @param repetitions of which the values are looked at; what came later does not count
   */
  public static List<OpenComparison> of(Results results, int repetitions) {
    List<OpenComparison> open = new ArrayList<>();
    if (results.manifest().adaptive().isPresent()) {
      Adaptive adaptive = results.manifest().adaptive().get();
      for (Ranking ranking : Rankings.throughputs(results.upTo(repetitions))) {
        if (!load(results, ranking.group().phase())) {
          ranking.standings().forEach(each -> open.addAll(of(adaptive, ranking, each)));
        }
      }
    }
    return open;
  }

  private static List<OpenComparison> of(Adaptive adaptive, Ranking ranking, Standing standing) {
    String engine = standing.engine();
    if (adaptive.interval().isPresent()) {
      Estimate estimate = standing.estimate();
      double half = Math.max(estimate.high() / estimate.value(), estimate.value() / estimate.low());
      return half <= 1 + adaptive.interval().get()
          ? List.of()
          : List.of(new OpenComparison(ranking.group(), engine, engine, reach(half - 1)));
    }
    String best = ranking.standings().get(0).engine();
    if (engine.equals(best) || ranking.verdict(engine, best).settled(adaptive.ratio())) {
      return List.of();
    }
    return List.of(
        new OpenComparison(
            ranking.group(),
            engine,
            best,
            String.format(Locale.ROOT, "%.3gx", standing.ratio().value())));
  }

  private static String reach(double share) {
    return Double.isFinite(share)
        ? String.format(Locale.ROOT, "±%.2g %%", 100 * share)
        : "no interval yet";
  }

  /** Returns whether {@code row} needs another repetition at {@code point} for this. */
  public boolean needs(String row, SortedMap<String, String> point) {
    return point.equals(group.factors()) && (row.equals(engine) || row.equals(best));
  }

  private static boolean load(Results results, String phase) {
    return results.runs().stream()
        .flatMap(run -> run.phases().stream())
        .filter(each -> each.name().equals(phase))
        .anyMatch(PhaseRecord::load);
  }

  /** The first few of {@code open}, and how many more there are. */
  public static String listed(List<OpenComparison> open) {
    String first =
        open.stream().limit(FEW).map(each -> each + " (" + each.now + ")").collect(joining("; "));
    return open.size() > FEW ? first + "; and %d more".formatted(open.size() - FEW) : first;
  }

  /** For example {@code zipfian at fsync=off: lmdb and rocksdb}. */
  @Override
  public String toString() {
    return group.label() + ": " + (engine.equals(best) ? engine : engine + " and " + best);
  }
}
