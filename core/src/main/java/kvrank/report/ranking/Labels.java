package kvrank.report.ranking;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import kvrank.metric.Metrics;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** Short labels for the rows of a ranking, such as "not steady". */
public final class Labels {

  /** More values than this are shortened to the first and the last. */
  private static final int MOST_VALUES = 6;

  private final Map<String, List<String>> rows = new LinkedHashMap<>();
  private final List<String> shared = new ArrayList<>();

  /**
   * Creates the labels of a group; a label of more than half of the rows becomes a shared sentence.
   */
  public Labels(RankingIndex index, Group group) {
    this(index, group, index.shown(group), !index.decisive(group).standings().isEmpty());
  }

  /** Creates the labels of a group, of which {@code ranking} compares a part. */
  public Labels(RankingIndex index, Group group, Ranking ranking) {
    this(index, group, ranking, true);
  }

  private Labels(RankingIndex index, Group group, Ranking ranking, boolean ranked) {
    Map<QualityFlag.Kind, Map<String, String>> sizes = new LinkedHashMap<>();
    for (Standing standing : ranking.standings()) {
      String engine = standing.engine();
      String verdict = ranked ? ranking.separation(standing).label() : "";
      rows.put(engine, words(index, group, ranking, standing, verdict));
      for (QualityFlag flag : index.flags(group, engine)) {
        String size = flag.label().substring(flag.kind().label().length());
        sizes.computeIfAbsent(flag.kind(), any -> new LinkedHashMap<>()).put(engine, size);
      }
    }
    sizes.values().removeIf(having -> rows.size() == 1 || 2 * having.size() <= rows.size());
    sizes.forEach((kind, having) -> shared.add(sentence(kind, having)));
    rows.forEach(
        (engine, words) ->
            index.flags(group, engine).stream()
                .filter(flag -> !sizes.containsKey(flag.kind()))
                .forEach(flag -> words.add(flag.label())));
  }

  private static List<String> words(
      RankingIndex index, Group group, Ranking ranking, Standing standing, String verdict) {
    String engine = standing.engine();
    List<String> words = new ArrayList<>(List.of(verdict));
    ranking.excluded(engine).stream()
        .map(Excluded::planned)
        .limit(1)
        .forEach(of -> words.add("n=%d of %d".formatted(standing.estimate().samples(), of)));
    index
        .standing(group, Metrics.ERRORS, engine)
        .filter(errors -> errors.estimate().largest() > 0)
        .ifPresent(errors -> words.add("errors"));
    words.removeIf(String::isEmpty);
    return words;
  }

  /** Returns the sentence for a shared label, for example {@code Late (every row except b): …}. */
  private String sentence(QualityFlag.Kind kind, Map<String, String> having) {
    // Embedded engines have no such limit, so a row without the label need not keep it.
    boolean ofServers = kind == QualityFlag.Kind.OVER_MAXMEMORY;
    List<String> others = rows.keySet().stream().filter(row -> !having.containsKey(row)).toList();
    List<String> sizes =
        having.entrySet().stream()
            .filter(row -> !row.getValue().isEmpty())
            .map(row -> row.getKey() + row.getValue())
            .toList();
    return "%s (%s): %s%s"
        .formatted(
            capitalized(kind.label()),
            ofServers
                ? String.join(", ", having.keySet())
                : "every row" + (others.isEmpty() ? "" : " except " + String.join(", ", others)),
            kind.meaning(),
            sizes.isEmpty() ? "" : ": " + String.join(", ", sizes));
  }

  /** Returns the first of {@code all}, and the number of others. */
  public static List<String> first(List<String> all, int most) {
    List<String> shown = new ArrayList<>(all.subList(0, Math.min(most, all.size())));
    if (shown.size() < all.size()) {
      shown.add("and %d more".formatted(all.size() - shown.size()));
    }
    return shown;
  }

  public static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** Returns for example {@code redis, rocksdb and ssdb}. */
  public static String joined(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.get(0)
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }

  /** Returns for example {@code 1, 2 and 4}, or {@code 1 to 64} of many. */
  public static String several(List<String> values) {
    int last = values.size() - 1;
    return last < MOST_VALUES ? joined(values) : values.get(0) + " to " + values.get(last);
  }

  /** Returns for example {@code fsync=on, threads=8}. */
  public static String settings(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Returns the shared labels, a sentence each. */
  public List<String> shared() {
    return shared;
  }

  /** Returns the other labels of a row, separated by commas. */
  public String of(String engine) {
    return String.join(", ", rows.getOrDefault(engine, List.of()));
  }
}
