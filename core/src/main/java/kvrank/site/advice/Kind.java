package kvrank.site.advice;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.report.ranking.Labels;
import kvrank.results.RunRecord;
import kvrank.stats.Sample;

/**
 * What an engine is, by the process that it runs in. Few programs can choose that, so each kind has
 * its own advice.
 */
public enum Kind {
  EMBEDDED("embedded", "embedded engine"),
  SERVER("server", "server"),
  /** A data structure to compare with: it is ranked, and no advice is about it. */
  BASELINE("baseline", "baseline"),
  /** The records do not have it. */
  UNKNOWN("", "engine");

  private final String label;
  private final String noun;

  Kind(String label, String noun) {
    this.label = label;
    this.noun = noun;
  }

  /**
   * Returns the kind of each engine. One that never became ready, unlike others, is a server.
   *
   * @param baselines the baselines of this kvrank: runs of an older one do not say it
   */
  public static Map<String, Kind> of(Collection<RunRecord> runs, Predicate<String> baselines) {
    Map<String, Kind> kinds = new TreeMap<>();
    for (RunRecord run : runs) {
      Facts facts = run.facts();
      if (facts.has(Fact.WAY)) {
        boolean embedded = Sample.embedded(run);
        String name = facts.text(Fact.ASKED).split(" ", -1)[0];
        boolean older = embedded && !facts.has(Fact.DESCRIPTION);
        boolean baseline = facts.is(Fact.BASELINE, YesNo.YES) || (older && baselines.test(name));
        kinds.put(run.engine(), baseline ? BASELINE : embedded ? EMBEDDED : SERVER);
      }
    }
    Kind others = kinds.isEmpty() ? UNKNOWN : SERVER;
    runs.forEach(run -> kinds.putIfAbsent(run.engine(), others));
    return kinds;
  }

  /** Returns whether the engine has no process of its own. */
  public boolean embedded() {
    return this == EMBEDDED || this == BASELINE;
  }

  /** Returns for example {@code embedded} or {@code server}; empty if it is unknown. */
  public String label() {
    return label;
  }

  /** Returns for example {@code embedded engine}. */
  public String noun() {
    return noun;
  }

  /** Returns for example {@code Embedded engines}. */
  public String title() {
    return Labels.capitalized(noun) + "s";
  }
}
