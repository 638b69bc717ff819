package kvrank.stats.change;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.results.ExecutionResults;
import kvrank.stats.Merge;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;
import kvrank.stats.infer.PairInference;

/**
 * The two sides of an execution with two rows of each engine, whose names end differently.
 *
 * @param whole without repetitions that the values of earlier ones decided about
 * @param base the rows of one side under the names of the engines
 * @param bases the rows of that side by engine
 */
public record Sides(
    ExecutionResults whole,
    ExecutionResults base,
    ExecutionResults head,
    Map<String, String> bases,
    Map<String, String> heads) {

  /** Returns the sides whose rows have names with these ends; empty if there are none. */
  public static Optional<Sides> of(ExecutionResults results, String base, String head) {
    ExecutionResults whole = results.upTo(results.manifest().guaranteedRepetitions());
    Map<String, String> bases = rows(whole, base);
    Map<String, String> heads = rows(whole, head);
    return bases.keySet().stream().noneMatch(heads::containsKey)
        ? Optional.empty()
        : Optional.of(
            new Sides(whole, side(whole, "base", bases), side(whole, "head", heads), bases, heads));
  }

  /** Returns the labels of one side by engine: the label without the end of the name. */
  private static Map<String, String> rows(ExecutionResults results, String end) {
    Map<String, String> rows = new TreeMap<>();
    for (String label : results.engines()) {
      String name = label.split(" ", 2)[0];
      if (name.endsWith(end)) {
        String engine = name.substring(0, name.length() - end.length());
        rows.put(engine + label.substring(name.length()), label);
      }
    }
    return rows;
  }

  private static ExecutionResults side(
      ExecutionResults whole, String name, Map<String, String> rows) {
    Map<String, String> engines = new TreeMap<>();
    rows.forEach((engine, label) -> engines.put(label, engine));
    return Merge.renamed(
        new ExecutionResults(
            whole.directory().resolve(name),
            whole.manifest().only(engines.keySet()),
            whole.environment(),
            whole.runs().stream().filter(run -> engines.containsKey(run.engine())).toList(),
            whole.unreadable()),
        engines);
  }

  /** Returns the base of {@code engine} in a ranking of both sides. */
  Optional<Standing> base(Ranking ranking, String engine) {
    return Optional.ofNullable(bases.get(engine)).flatMap(ranking::standing);
  }

  /** Returns the head of {@code engine} in a ranking of both sides. */
  Optional<Standing> head(Ranking ranking, String engine) {
    return Optional.ofNullable(heads.get(engine)).flatMap(ranking::standing);
  }

  /** Returns the test of the head of {@code engine} against its base; empty for too few values. */
  Optional<PairInference> test(Ranking ranking, String engine) {
    return bases.containsKey(engine) && heads.containsKey(engine)
        ? ranking.verdict(heads.get(engine), bases.get(engine)).inference()
        : Optional.empty();
  }
}
