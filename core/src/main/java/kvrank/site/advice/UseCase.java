package kvrank.site.advice;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import kvrank.metric.Metrics;
import kvrank.results.PhaseRecord;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.workload.request.Operation;

/** A use of an engine. Each phase belongs to one of the first seven, by its operations. */
public enum UseCase {
  READS("Reads", "you mostly read", "Phases that only read records by their keys."),
  INGEST(
      "Ingest",
      "you load or write heavily",
      "Loads, at any level of durability, and phases that only write and are not synced."),
  MIXED("Mixed", "you read and write", "Phases that read and write."),
  DURABLE(
      "Durable writes",
      "a write must survive",
      "Phases that only write, at a level of durability that promises syncs; and what engines lost in"
          + " crashes and power cuts."),
  SCANS("Scans", "you scan", "Phases with scans in key order or by prefix."),
  DELETES("Deletes", "you delete", "Phases that only delete."),
  CACHE(
      "Cache",
      "you cache or records expire",
      "Phases whose engine may evict or expire records, so that reads have a hit ratio."),
  MEMORY(
      "Memory",
      "memory is short",
      "Memory for data, or of the process if not every engine has it, after the same work (the load, if"
          + " there is a value) and after each phase that only reads; less is better."),
  FOOTPRINT(
      "Footprint",
      "storage is short",
      "Size on disk after the same work: the load, if there is a value; less is better.");

  private static final Set<Operation> READING = EnumSet.of(Operation.READ, Operation.READ_MISSING);

  private static final Set<Operation> SCANNING =
      EnumSet.of(Operation.RANGE_SCAN, Operation.PREFIX_SCAN, Operation.ITERATE);

  private final String title;
  private final String when;
  private final String meaning;

  UseCase(String title, String when, String meaning) {
    this.title = title;
    this.when = when;
    this.meaning = meaning;
  }

  public String title() {
    return title;
  }

  /** Returns the end of "Reach for it when". */
  public String when() {
    return when;
  }

  /** Returns whether less is better: memory or storage, after equal work. */
  public boolean ofResources() {
    return this == MEMORY || this == FOOTPRINT;
  }

  public String meaning() {
    return meaning;
  }

  public String file() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the use of a phase. */
  public static UseCase of(RankingIndex index, Group phaseGroup) {
    Set<Operation> operations = EnumSet.noneOf(Operation.class);
    index.engines().stream()
        .map(engine -> index.phases(phaseGroup, engine))
        .flatMap(Collection::stream)
        .map(PhaseRecord::operations)
        .flatMap(found -> found.keySet().stream())
        .flatMap(label -> Operation.ofResult(label).stream())
        .forEach(operations::add);
    Predicate<Set<Operation>> only =
        operations.isEmpty() ? any -> false : c -> c.containsAll(operations);
    if (index.load(phaseGroup)) {
      return INGEST;
    }
    if (index.ranking(phaseGroup, Metrics.HIT_RATIO).isPresent()) {
      return CACHE;
    }
    if (operations.stream().anyMatch(SCANNING::contains)) {
      return SCANS;
    }
    if (only.test(EnumSet.of(Operation.DELETE))) {
      return DELETES;
    }
    if (only.test(READING)) {
      return READS;
    }
    if (operations.stream().anyMatch(READING::contains)
        || operations.contains(Operation.READ_MODIFY_WRITE)) {
      return MIXED;
    }
    return phaseGroup.promisesFlushes() ? DURABLE : INGEST;
  }
}
