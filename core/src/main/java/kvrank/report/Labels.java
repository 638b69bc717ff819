package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.metric.Metrics;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** What a reader has to know of the rows of a ranking, in short words. */
final class Labels {

  /**
   * A label without numbers and with them, for example {@code not steady 2/3}, and what it says if
   * rows can share it, which they do by its name.
   */
  private record Label(String name, String text, String meaning) {}

  private final Map<String, List<Label>> rows = new LinkedHashMap<>();
  private final List<String> shared = new ArrayList<>();

  /** The labels of a group; what more than half of the rows have is said once. */
  Labels(RankingIndex index, Group group) {
    Set<Label> kinds = new LinkedHashSet<>(); // without numbers
    for (Standing standing : index.decisive(group).standings()) {
      List<Label> labels = labels(index, group, standing);
      rows.put(standing.engine(), labels);
      labels.stream()
          .filter(label -> !label.meaning.isEmpty())
          .forEach(label -> kinds.add(new Label(label.name, "", label.meaning)));
    }
    for (Label kind : kinds) {
      List<String> others = new ArrayList<>(rows.keySet());
      others.removeIf(row -> rows.get(row).stream().anyMatch(of -> of.name.equals(kind.name)));
      if (rows.size() > 1 && 2 * others.size() < rows.size()) {
        String but = others.isEmpty() ? "" : " but " + String.join(", ", others);
        String name = RankingTables.capitalized(kind.name);
        List<String> sizes = new ArrayList<>();
        for (Map.Entry<String, List<Label>> row : rows.entrySet()) {
          for (Label label : row.getValue()) {
            if (label.name.equals(kind.name) && !label.text.equals(label.name)) {
              sizes.add(row.getKey() + label.text.substring(label.name.length()));
            }
          }
          row.getValue().removeIf(of -> of.name.equals(kind.name));
        }
        String each = sizes.isEmpty() ? "" : ": " + String.join(", ", sizes);
        shared.add("%s (every row%s): %s%s".formatted(name, but, kind.meaning, each));
      }
    }
  }

  private static List<Label> labels(RankingIndex index, Group group, Standing standing) {
    Ranking ranking = index.decisive(group);
    String engine = standing.engine();
    List<String> texts = new ArrayList<>();
    texts.add(ranking.separation(standing).label());
    ranking.excluded().stream()
        .filter(excluded -> excluded.engine().equals(engine))
        .map(Excluded::planned)
        .limit(1)
        .forEach(of -> texts.add("n=%d of %d".formatted(standing.estimate().samples(), of)));
    index
        .standing(group, Metrics.ERRORS, engine)
        .filter(errors -> errors.estimate().largest() > 0)
        .ifPresent(errors -> texts.add("errors"));
    texts.removeIf(String::isEmpty);
    List<Label> labels = new ArrayList<>();
    texts.forEach(text -> labels.add(new Label(text, text, "")));
    for (QualityFlag flag : index.flags(group, engine)) {
      labels.add(new Label(flag.kind().label(), flag.label(), flag.kind().meaning()));
    }
    return labels;
  }

  /** For example {@code fsync=on, threads=8}. */
  static String settings(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(", "));
  }

  /** What is said once above the table, a sentence each. */
  List<String> shared() {
    return shared;
  }

  /** The others of one row, separated by commas. */
  String of(String engine) {
    List<Label> labels = rows.getOrDefault(engine, List.of());
    return labels.stream().map(Label::text).collect(Collectors.joining(", "));
  }
}
