package kvrank.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
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
    Blocks blocks = new Blocks();
    index
        .searchBound(whole)
        .ifPresent(bound -> blocks.text("The highest rate with " + bound + ", by engine."));
    blocks.text(ownSettings(whole));
    Ranking ranking = index.throughput(whole);
    if (ranking.standings().isEmpty()) {
      blocks.text("No engine can be ranked here.");
    } else {
      Labels labels = Labels.of(index, whole);
      labels.shared().forEach(each -> blocks.text(each + "."));
      blocks.add(tables.ranking(whole, labels)).text(detectable(ranking));
    }
    return blocks.items(exclusions.below(whole)).list();
  }

  /** What more repetitions would be needed for; empty where every engine has a rank of its own. */
  private static String detectable(Ranking ranking) {
    boolean open = ranking.standings().stream().anyMatch(each -> !each.ranks().exact());
    OptionalDouble ratio = open ? ranking.detectable() : OptionalDouble.empty();
    return ratio.isEmpty()
        ? ""
        : "The smallest difference from the best that these repetitions would have shown in 4 of"
            + " 5 tables: %sx. More repetitions show smaller ones."
                .formatted(Quantities.fixed(ratio.getAsDouble(), 2));
  }

  /** What holds in this phase and not at its factor point; empty if nothing does. */
  private String ownSettings(Group whole) {
    SortedMap<String, String> own = new TreeMap<>();
    index.engines().stream()
        .flatMap(engine -> index.records(whole, engine).stream())
        .forEach(phase -> own.putAll(phase.settings()));
    own.entrySet().removeAll(whole.factors().entrySet());
    return own.isEmpty() ? "" : "Settings of this phase: " + Labels.settings(own) + ".";
  }
}
