package kvrank.report.section;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.report.block.Quantities;
import kvrank.report.block.Width;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Places;
import kvrank.stats.Absence;
import kvrank.stats.Excluded;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** What the answer leaves out: engines, factor points and repetitions, or nothing. */
final class Coverage {

  /** The most reasons in a sentence; the notes below the rankings have all. */
  private static final int MOST = 6;

  /** The most characters of a reason. */
  private static final int MOST_REASON = 80;

  private static final String NOT_RANKED = "Not ranked: ";

  private final RankingIndex index;
  private final List<Group> groups;
  private final Places places;

  /** The groups without a value by engine and reason, of engines that lack any. */
  private final Map<String, Map<String, List<Group>>> reasons;

  /** The same by the kind of reason only. */
  private final Map<String, Map<String, List<Group>>> kinds;

  /** Creates the coverage of {@code groups}, the phases that answer the question. */
  Coverage(RankingIndex index, List<Group> groups) {
    this.index = index;
    this.groups = groups;
    this.places = new Places(groups);
    this.reasons = absent(Coverage::why);
    this.kinds = absent(excluded -> excluded.absence().label());
  }

  /**
   * Returns the engines without a rank in a line, for example {@code Not ranked: ssdb and ignix
   * (unavailable); redis (scan, unsupported)}; empty if each has one. Unlike {@link #sentences} it
   * names every engine, but only the kind of reason.
   */
  Optional<String> notRanked() {
    List<String> parts = parts(kinds, this::at);
    return listed(
        NOT_RANKED,
        parts.size() <= MOST
            ? parts
            : parts(kinds, (where, why) -> (where.size() < groups.size() ? "in part " : "") + why));
  }

  /** Returns a sentence for engines without a rank, and one for repetitions that do not count. */
  List<String> sentences() {
    return Stream.of(reasons(), notCompared(), repetitions()).flatMap(Optional::stream).toList();
  }

  /** Returns {@link #notRanked} or, if each engine has a rank, the sentence on repetitions. */
  Optional<String> line() {
    return kinds.isEmpty() ? repetitions() : notRanked();
  }

  /** Returns those of {@link #sentences} that say more than {@link #line}. */
  List<String> belowLine() {
    boolean same = reasons.equals(kinds) && parts(kinds, this::at).size() <= MOST;
    return Stream.of(
            same ? Optional.<String>empty() : reasons(),
            notCompared(),
            kinds.isEmpty() ? Optional.<String>empty() : repetitions())
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> reasons() {
    return listed(NOT_RANKED, Labels.first(parts(reasons, this::at), MOST));
  }

  /** Returns the sentence about repetitions that do not count, or that all count. */
  private Optional<String> repetitions() {
    return leftOut(any -> true).or(this::complete);
  }

  private Map<String, Map<String, List<Group>>> absent(Function<Excluded, String> why) {
    Map<String, Map<String, List<Group>>> absent = new LinkedHashMap<>();
    for (String engine : index.engines()) {
      Map<String, List<Group>> reasons = reasons(engine, why);
      if (!reasons.isEmpty()) {
        absent.put(engine, reasons);
      }
    }
    return absent;
  }

  private Optional<Standing> standing(Group group, String engine) {
    return index.shown(group).standing(engine);
  }

  /** Returns the groups in which an engine has no value, by the reason. */
  private Map<String, List<Group>> reasons(String engine, Function<Excluded, String> why) {
    Map<String, List<Group>> reasons = new LinkedHashMap<>();
    for (Group group : groups) {
      if (standing(group, engine).isEmpty()) {
        reason(group, engine, why)
            .ifPresent(text -> reasons.computeIfAbsent(text, any -> new ArrayList<>()).add(group));
      }
    }
    return reasons;
  }

  /** Returns the reason for a missing value; empty if the engine has it at {@code fsync=none}. */
  private Optional<String> reason(Group group, String engine, Function<Excluded, String> why) {
    List<Excluded> excluded = index.shown(group).excluded(engine);
    boolean merged = index.results().executions().size() > 1;
    if (excluded.isEmpty()) {
      return merged && !withoutLog(group, engine) ? Optional.of("not measured") : Optional.empty();
    }
    Excluded first = excluded.get(0);
    boolean refused = first.absence() == Absence.UNSUPPORTED;
    boolean elsewhere =
        groups.stream()
            .filter(other -> other.phase().equals(group.phase()))
            .anyMatch(other -> standing(other, engine).isPresent());
    return refused && withoutLog(group, engine)
        ? Optional.empty()
        : Optional.of(refused && elsewhere ? first.absence().label() : why.apply(first));
  }

  /** Returns whether an engine without a log is ranked at {@code fsync=none}, or the reverse. */
  private boolean withoutLog(Group group, String engine) {
    SortedMap<String, List<String>> factors = index.results().manifest().factors();
    if (factors.getOrDefault(Group.FSYNC, List.of()).contains(Group.NO_LOG)) {
      return false;
    }
    return groups.stream()
        .filter(other -> other.withoutLog() != group.withoutLog())
        .anyMatch(other -> standing(other, engine).isPresent());
  }

  /** Returns the absence, with the reason unless the engine is merely not installed. */
  private static String why(Excluded excluded) {
    boolean here = excluded.absence() == Absence.UNAVAILABLE || excluded.reason().isEmpty();
    String reason =
        excluded
            .reason()
            .replaceFirst("^in phase [^:]*: ", "")
            .replace(excluded.engine() + " has no ", "no ");
    return excluded.absence().label() + (here ? "" : ": " + brief(reason));
  }

  private static String brief(String reason) {
    String line = Width.oneLine(reason);
    return line.length() <= MOST_REASON ? line : line.substring(0, MOST_REASON - 1) + "…";
  }

  /** Returns for example {@code ssdb (unavailable)}, {@code redis (scan, unsupported: …)}. */
  private static List<String> parts(
      Map<String, Map<String, List<Group>>> absent, BiFunction<List<Group>, String, String> at) {
    Map<String, List<String>> engines = new LinkedHashMap<>();
    absent.forEach(
        (engine, reasons) ->
            reasons.forEach(
                (why, where) ->
                    engines
                        .computeIfAbsent(at.apply(where, why), any -> new ArrayList<>())
                        .add(engine)));
    List<String> parts = new ArrayList<>();
    engines.forEach((why, names) -> parts.add(Labels.joined(names) + " (" + why + ")"));
    return parts;
  }

  /** Returns for example {@code Not compared: caffeine (the only engine at fsync=none)}. */
  private Optional<String> notCompared() {
    Map<String, List<Group>> only = new LinkedHashMap<>();
    for (Group group : groups) {
      List<Standing> standings = index.shown(group).standings();
      if (standings.size() == 1) {
        only.computeIfAbsent(standings.get(0).engine(), any -> new ArrayList<>()).add(group);
      }
    }
    List<String> parts = new ArrayList<>();
    only.forEach(
        (engine, where) -> parts.add(engine + " (the only engine" + places.in(where) + ")"));
    boolean compared = groups.stream().anyMatch(group -> index.shown(group).standings().size() > 1);
    return compared ? listed("Not compared: ", Labels.first(parts, MOST)) : Optional.empty();
  }

  private static Optional<String> listed(String title, List<String> parts) {
    return parts.isEmpty() ? Optional.empty() : Optional.of(title + String.join("; ", parts));
  }

  /** Returns {@code why}, after the place unless that is every group. */
  private String at(List<Group> where, String why) {
    return at(where, groups.size(), why);
  }

  /** Returns {@code why}, after the place unless that is all of {@code number} groups. */
  private String at(Collection<Group> where, int number, String why) {
    return (where.size() == number ? "" : places.of(where) + ", ") + why;
  }

  /**
   * Returns the sentence about repetitions that failed of engines with a rank, if there are any.
   */
  Optional<String> broken() {
    return leftOut(absence -> absence != Absence.DISTURBED);
  }

  /** Returns for example {@code Left out of 60 runs: 2 of redis (threads=4, failed)}. */
  private Optional<String> leftOut(Predicate<Absence> named) {
    int all = 0;
    Map<String, List<String>> counts = new LinkedHashMap<>();
    for (String engine : index.engines()) {
      int ranked =
          (int) groups.stream().filter(group -> standing(group, engine).isPresent()).count();
      Map<Absence, Integer> repetitions = new EnumMap<>(Absence.class);
      Map<Absence, List<Group>> where = new EnumMap<>(Absence.class);
      for (Group group : groups) {
        Optional<Standing> standing = standing(group, engine);
        List<Excluded> excluded =
            standing.isEmpty() ? List.of() : index.shown(group).excluded(engine);
        all += standing.map(found -> (int) found.estimate().samples()).orElse(0);
        for (Excluded each : excluded) {
          all += each.repetitions();
          if (named.test(each.absence())) {
            repetitions.merge(each.absence(), each.repetitions(), Integer::sum);
            where.computeIfAbsent(each.absence(), any -> new ArrayList<>()).add(group);
          }
        }
      }
      where.forEach(
          (absence, at) -> {
            int number = absence == Absence.DISTURBED ? at.size() : ranked;
            String why = at(at, number, absence.label());
            counts
                .computeIfAbsent(why, any -> new ArrayList<>())
                .add("%d of %s".formatted(repetitions.get(absence), engine));
          });
    }
    List<String> parts = new ArrayList<>();
    counts.forEach((why, some) -> parts.add(Labels.joined(some) + " (" + why + ")"));
    boolean onePhase = groups.stream().map(Group::phase).distinct().count() == 1;
    String what = onePhase ? "run" : "measurement";
    return listed(
        "Left out of %s: ".formatted(Quantities.counted(all, what)), Labels.first(parts, MOST));
  }

  /**
   * Returns for example {@code Nothing is missing: all 6 engines have 3 runs each at threads=1}.
   */
  private Optional<String> complete() {
    List<String> engines =
        index.engines().stream()
            .filter(engine -> groups.stream().anyMatch(at -> standing(at, engine).isPresent()))
            .toList();
    IntSummaryStatistics runs =
        engines.stream()
            .flatMap(engine -> groups.stream().flatMap(group -> standing(group, engine).stream()))
            .collect(Collectors.summarizingInt(found -> (int) found.estimate().samples()));
    if (runs.getCount() == 0) {
      return Optional.empty();
    }
    int number = engines.size();
    String who =
        number == 1
            ? engines.get(0) + " has "
            : (reasons.isEmpty()
                    ? "Nothing is missing: " + (number == 2 ? "both" : "all " + number)
                    : "The %d measured".formatted(number))
                + " engines have ";
    List<Group> level =
        groups.stream().filter(group -> group.fsync().equals(groups.get(0).fsync())).toList();
    return Optional.of(
        who
            + (runs.getMin() < runs.getMax() ? runs.getMin() + " to " : "")
            + Quantities.counted(runs.getMax(), "run")
            + (number == 1 ? "" : " each")
            + (engines.stream().anyMatch(reasons::containsKey)
                ? " wherever ranked"
                : new Places(level).in(level)));
  }
}
