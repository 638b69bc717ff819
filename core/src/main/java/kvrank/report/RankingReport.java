package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;

/** The ranking of one comparison group, with what a reader of it has to know. */
final class RankingReport {

  private final RankingIndex index;
  private final RankingTables tables;
  private final Exclusions exclusions;

  RankingReport(RankingIndex index, RankingTables tables, Exclusions exclusions) {
    this.index = index;
    this.tables = tables;
    this.exclusions = exclusions;
  }

  /** Own settings, labels that rows share, the ranking, and what is not ranked. */
  List<Block> of(Group whole) {
    List<Block> blocks = new ArrayList<>();
    String own = ownSettings(whole);
    index
        .searchBound(whole)
        .ifPresent(
            bound -> blocks.add(new Block.Text("The highest rate with " + bound + ", by engine.")));
    if (!own.isEmpty()) {
      blocks.add(new Block.Text("Settings of this phase: " + own + "."));
    }
    if (index.throughput(whole).standings().isEmpty()) {
      blocks.add(new Block.Text("No engine can be ranked here."));
    } else {
      Labels labels = Labels.of(index, whole);
      labels.shared().forEach(each -> blocks.add(new Block.Text(each + ".")));
      blocks.add(new Block.Grid(tables.ranking(whole, labels)));
      detectable(index.throughput(whole)).ifPresent(text -> blocks.add(new Block.Text(text)));
    }
    List<String> below = exclusions.below(whole);
    if (!below.isEmpty()) {
      blocks.add(new Block.Items(below));
    }
    return blocks;
  }

  /** What more repetitions would be needed for; empty where every engine has a rank of its own. */
  private static Optional<String> detectable(Ranking ranking) {
    boolean open = ranking.standings().stream().anyMatch(each -> !each.ranks().exact());
    OptionalDouble ratio = open ? ranking.detectable() : OptionalDouble.empty();
    return ratio.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The smallest difference from the best that these repetitions would have shown in 4 of"
                + " 5 tables: %sx. More repetitions show smaller ones."
                    .formatted(Quantities.fixed(ratio.getAsDouble(), 2)));
  }

  /** What holds in this phase and not at its factor point. */
  private String ownSettings(Group whole) {
    SortedMap<String, String> own = new TreeMap<>();
    index.engines().stream()
        .flatMap(engine -> index.records(whole, engine).stream())
        .forEach(phase -> own.putAll(phase.settings()));
    own.entrySet().removeAll(whole.factors().entrySet());
    return own.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(", "));
  }
}
