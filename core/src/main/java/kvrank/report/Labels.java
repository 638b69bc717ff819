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
   * A label.
   *
   * @param name without numbers; rows share a label if it has the same name
   * @param text with numbers, for example {@code not steady 2/3}
   * @param meaning what it says, if rows can share it; else empty
   */
  record Label(String name, String text, String meaning) {}

  private final Map<String, List<Label>> rows = new LinkedHashMap<>();
  private final List<String> shared = new ArrayList<>();

  private Labels() {}

  /** The labels of a group, those that most rows share told apart. */
  static Labels of(RankingIndex index, Group group) {
    Labels labels = new Labels();
    for (Standing standing : index.throughput(group).standings()) {
      labels.rows.put(standing.engine(), new ArrayList<>(all(index, group, standing)));
    }
    labels.share();
    return labels;
  }

  /** Every label of one standing. */
  static List<Label> all(RankingIndex index, Group group, Standing standing) {
    Ranking ranking = index.throughput(group);
    List<Label> labels = new ArrayList<>();
    String separation = ranking.separation(standing).label();
    if (!separation.isEmpty()) {
      labels.add(new Label(separation, separation, ""));
    }
    for (Excluded excluded : ranking.excluded()) {
      if (excluded.engine().equals(standing.engine())) {
        String text = "n=%d of %d".formatted(standing.estimate().samples(), excluded.planned());
        labels.add(new Label(text, text, ""));
        break;
      }
    }
    if (index
        .standing(group, Metrics.ERRORS, standing.engine())
        .filter(errors -> errors.estimate().largest() > 0)
        .isPresent()) {
      labels.add(new Label("errors", "errors", ""));
    }
    for (QualityFlag flag : index.flags(group, standing.engine())) {
      labels.add(new Label(flag.kind().label(), flag.label(), flag.kind().meaning()));
    }
    return labels;
  }

  /** Moves what more than half of the rows have from the rows to what is said once. */
  private void share() {
    Set<Label> names = new LinkedHashSet<>(); // without numbers
    rows.values().stream()
        .flatMap(List::stream)
        .filter(label -> !label.meaning().isEmpty())
        .forEach(label -> names.add(new Label(label.name(), "", label.meaning())));
    for (Label each : names) {
      List<String> others = new ArrayList<>(rows.keySet());
      others.removeIf(row -> rows.get(row).stream().anyMatch(of -> of.name().equals(each.name())));
      if (rows.size() > 1 && 2 * others.size() < rows.size()) {
        shared.add(
            "%s (every row%s): %s"
                .formatted(
                    RankingTables.capitalized(each.name()),
                    others.isEmpty() ? "" : " but " + String.join(", ", others),
                    each.meaning()));
        rows.values().forEach(labels -> labels.removeIf(of -> of.name().equals(each.name())));
      }
    }
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
    return rows.getOrDefault(engine, List.of()).stream()
        .map(Label::text)
        .collect(Collectors.joining(", "));
  }
}
