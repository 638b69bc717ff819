package kvrank.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One pass over the user's input: what is wrong with it, and which keys were asked for. */
final class Diagnostics {

  private final List<Path> sources = new ArrayList<>();
  private final Set<Problem> problems = new LinkedHashSet<>();
  private final Map<Path, SortedMap<String, SortedSet<String>>> vocabularies = new HashMap<>();
  private final Set<Problem> noted = new HashSet<>();
  private final Consumer<Problem> notes;

  /**
   * @param notes is told of what is right and should be written in another way
   */
  Diagnostics(Consumer<Problem> notes) {
    this.notes = notes;
  }

  /** Says that {@code source} is read now; problems are listed in this order. */
  void opened(Path source) {
    if (!sources.contains(source)) {
      sources.add(source);
    }
  }

  void report(Problem problem) {
    opened(problem.file());
    problems.add(problem);
  }

  /** Notes something once, however often its place is read. */
  void note(Problem note) {
    if (noted.add(note)) {
      notes.accept(note);
    }
  }

  /**
   * Says that the sections of {@code source} that have the form {@code form} may have {@code key}.
   */
  void asked(Path source, String form, String key) {
    vocabularies
        .computeIfAbsent(source, any -> new TreeMap<>())
        .computeIfAbsent(form, any -> new TreeSet<>())
        .add(key);
  }

  /** Returns everything that was reported, in the order of the sources and of their lines. */
  List<Problem> problems() {
    List<Problem> result = new ArrayList<>(problems);
    result.sort(
        Comparator.comparingInt((Problem problem) -> sources.indexOf(problem.file()))
            .thenComparingInt(Problem::line)
            .thenComparingInt(Problem::column));
    return result;
  }

  /**
   * Returns the keys that the sections of {@code source} may have, by the form of the section: its
   * path with {@code []} for any item and {@code *} for any key.
   */
  SortedMap<String, SortedSet<String>> vocabulary(Path source) {
    return Collections.unmodifiableSortedMap(
        vocabularies.getOrDefault(source, Collections.emptySortedMap()));
  }

  /** Ends the reading: {@code result}, or every problem. */
  <T> T result(Optional<T> result) throws InvalidInputException {
    if (!problems.isEmpty()) {
      throw new InvalidInputException(problems());
    }
    return result.orElseThrow(() -> new IllegalStateException("no result and no problem"));
  }
}
