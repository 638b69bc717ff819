package kvrank.report.ranking;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.block.Quantities;
import kvrank.results.RunRecord;
import kvrank.stats.Absence;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/**
 * Notes on rankings: numbered footnotes on engines, engines without a rank and the reasons,
 * durability that is not proven.
 */
public final class Notes {

  private record Note(String engine, String text) {}

  private final RankingIndex index;
  private final List<Note> footnotes = new ArrayList<>();
  private final Set<Excluded> everywhere = new LinkedHashSet<>();

  public Notes(RankingIndex index) {
    this.index = index;
    for (String engine : index.engines()) {
      index.results().runs().stream()
          .filter(run -> run.engine().equals(engine) && !run.note().isBlank() && run.shown())
          .map(run -> new Note(engine, run.note()))
          .distinct()
          .sorted(Comparator.comparing(Note::text))
          .forEach(footnotes::add);
    }
    List<Group> phaseGroups = index.phaseGroups();
    phaseGroups.stream().limit(1).forEach(one -> everywhere.addAll(index.shown(one).excluded()));
    everywhere.removeIf(each -> each.absence() == Absence.DISTURBED);
    phaseGroups.forEach(phaseGroup -> everywhere.retainAll(index.shown(phaseGroup).excluded()));
  }

  /**
   * Returns the engine's label with its footnote marks at a factor point, for example {@code ignix
   * [1]}.
   */
  public String marked(String engine, Group group) {
    List<String> texts = index.runs(group, engine).stream().map(RunRecord::note).toList();
    StringBuilder marked = new StringBuilder(engine);
    for (Note note : footnotes) {
      if (note.engine.equals(engine) && texts.contains(note.text)) {
        marked.append(" [").append(footnotes.indexOf(note) + 1).append(']');
      }
    }
    return marked.toString();
  }

  public List<String> footnotes() {
    return footnotes.stream()
        .map(note -> "[%d] %s: %s".formatted(footnotes.indexOf(note) + 1, note.engine, note.text))
        .toList();
  }

  /** Returns engines without a rank in any table, with reasons. */
  public List<String> everywhere() {
    return everywhere.stream().map(each -> each.engine() + ": " + cause(each)).toList();
  }

  /** Returns engines without a rank in the phase {@code phaseGroup}, except those without any. */
  public List<String> below(Group phaseGroup) {
    return index.shown(phaseGroup).excluded().stream()
        .filter(each -> !everywhere.contains(each))
        // The column of the runs and a label have these.
        .filter(each -> each.absence() != Absence.DISTURBED)
        .map(each -> each.engine() + ": " + cause(each))
        .toList();
  }

  /** Returns for example {@code 1 of 3 runs failed in phase get: …}. */
  public static String cause(Excluded excluded) {
    String reason = excluded.reason();
    boolean some = excluded.repetitions() < excluded.planned();
    return (some ? "%d of %d runs ".formatted(excluded.repetitions(), excluded.planned()) : "")
        + excluded.absence().label()
        + (reason.isEmpty() ? "" : (reason.startsWith("in phase ") ? " " : ": ") + reason);
  }

  /** Returns a sentence for each engine, phase and factor point whose durability is not proven. */
  public List<String> unproven() {
    List<String> sentences = new ArrayList<>();
    for (Group phaseGroup : index.phaseGroups()) {
      for (String engine : index.engines()) {
        String where = engine + ", " + phaseGroup.phase() + phaseGroup.pointSuffix() + ": ";
        index
            .durability(phaseGroup, engine)
            .filter(found -> index.doubted(phaseGroup, engine))
            .map(found -> where + found.label() + ": " + found.reasons().get(0))
            .ifPresent(sentences::add);
      }
    }
    return sentences;
  }

  /**
   * Returns a line for each engine of which a size is known, for example {@code rocksdb: data =
   * 4.0x write buffer, 0.50x cache, 0.011x memory; write buffers flushed 4; read from storage 0 B;
   * written 24.0 MiB}.
   */
  public List<String> storage(Group phaseGroup) {
    List<String> lines = new ArrayList<>();
    for (String engine : index.engines()) {
      List<String> sizes = new ArrayList<>();
      for (String size : List.of("write-buffer", "cache", "memory")) {
        value(phaseGroup, "data-per-" + size, engine)
            .ifPresent(text -> sizes.add(text + " " + size.replace('-', ' ')));
      }
      if (!sizes.isEmpty()) {
        StringBuilder line = new StringBuilder(engine + ": data = " + String.join(", ", sizes));
        for (String work :
            List.of("flushes", "pending-start-bytes", "read-bytes", "written-bytes")) {
          value(phaseGroup, work, engine)
              .ifPresent(
                  text ->
                      line.append("; ")
                          .append(Metrics.named(work).title())
                          .append(' ')
                          .append(text));
        }
        lines.add(line.toString());
      }
    }
    return lines;
  }

  /** Returns a line for each engine whose write amplification the phase cannot tell. */
  public List<String> unmeasurable(Group phaseGroup) {
    return index.rankingOrEmpty(phaseGroup, Metrics.WRITE_AMPLIFICATION).excluded().stream()
        .filter(each -> each.absence() == Absence.NOT_MEASURABLE)
        .map(each -> "write amplification of " + each.engine() + ": " + cause(each))
        .toList();
  }

  private Optional<String> value(Group phaseGroup, String name, String engine) {
    Metric metric = Metrics.named(name);
    return index
        .standing(phaseGroup, metric, engine)
        .map(found -> Quantities.of(metric.unit(), found.estimate().value()));
  }

  /**
   * Returns the evidence for the durability verdicts of a phase, one line for engines with the
   * same.
   */
  public List<String> proofs(Group phaseGroup) {
    Map<String, String> engines = new LinkedHashMap<>();
    for (String engine : index.engines()) {
      index
          .durability(phaseGroup, engine)
          .filter(DurabilitySummary::writes)
          .map(found -> found.label() + ": " + String.join("; ", found.reasons()))
          .ifPresent(figures -> engines.merge(figures, engine, (some, one) -> some + ", " + one));
    }
    return engines.entrySet().stream().map(e -> e.getValue() + ": " + e.getKey()).toList();
  }
}
