package kvrank.site.advice;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.report.ranking.Labels;
import kvrank.results.RunRecord;
import kvrank.stats.Sample;

/** The process that an engine runs in. Few programs can choose that, so each has its own advice. */
public enum Kind {
  EMBEDDED("embedded", "embedded engine"),
  SERVER("server", "server"),
  /** The records do not have it. */
  UNKNOWN("", "engine");

  private final String label;
  private final String noun;

  Kind(String label, String noun) {
    this.label = label;
    this.noun = noun;
  }

  /** Returns the kind of each engine. One that never became ready, unlike others, is a server. */
  public static Map<String, Kind> of(Collection<RunRecord> runs) {
    Map<String, Kind> kinds = new TreeMap<>();
    for (RunRecord run : runs) {
      if (run.facts().has(Fact.WAY)) {
        kinds.put(run.engine(), Sample.embedded(run) ? EMBEDDED : SERVER);
      }
    }
    Kind others = kinds.isEmpty() ? UNKNOWN : SERVER;
    runs.forEach(run -> kinds.putIfAbsent(run.engine(), others));
    return kinds;
  }

  /** Returns {@code embedded} or {@code server}; empty if it is unknown. */
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
