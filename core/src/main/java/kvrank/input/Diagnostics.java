package kvrank.input;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** One pass over the user's input: what is wrong with it, and which keys were asked for. */
public final class Diagnostics {

  /** Who has more of them made one mistake, or gave a file of something else. */
  private static final int MOST_PROBLEMS = 50;

  private final Set<Path> files = new LinkedHashSet<>();
  private final Set<Problem> problems = new LinkedHashSet<>();
  private long further;
  private final List<YamlValue> maps = new ArrayList<>();
  private final List<Diagnostics> parts = new ArrayList<>();
  private final Map<SourceLocation, Secret> secrets = new LinkedHashMap<>();

  /** Says that {@code file} is read now; problems are listed in this order. */
  public void opened(Path file) {
    files.add(file);
  }

  /** Adds a problem, which is only made if it is not one of too many. */
  void report(Supplier<Problem> problem) {
    if (problems.size() >= MOST_PROBLEMS) {
      further++;
      return;
    }
    Problem found = problem.get();
    opened(found.file());
    problems.add(found);
  }

  /** Says that what is planned needs {@code secret}, which {@code place} asks for. */
  public void needs(SourceLocation place, Secret secret) {
    secrets.put(place, secret);
  }

  /** Reports every secret that is needed and cannot be read. */
  public void requireSecrets() {
    secrets.forEach(
        (place, secret) -> {
          try {
            secret.read();
          } catch (IOException e) {
            // Its line is not shown: the secret may stand there in the place of its name.
            place.withoutLine().report("%s", e.getMessage());
          }
        });
  }

  /** Says that {@code map} is asked for keys. */
  void asked(YamlValue map) {
    maps.add(map);
  }

  /** Takes what was found by another reading, which has ended. */
  public void add(Diagnostics part) {
    parts.add(part);
    part.files.forEach(this::opened);
  }

  public List<YamlValue> maps() {
    List<YamlValue> all = new ArrayList<>(maps);
    parts.forEach(part -> all.addAll(part.maps()));
    return all;
  }

  /** Returns every problem and every key that nobody asked for, in the order of files and lines. */
  public List<Problem> problems() {
    maps.forEach(YamlValue::reportUnknownKeys);
    parts.forEach(part -> part.problems().forEach(each -> report(() -> each)));
    List<Path> order = List.copyOf(files);
    List<Problem> result = new ArrayList<>(problems);
    result.sort(
        Comparator.comparingInt((Problem problem) -> order.indexOf(problem.file()))
            .thenComparingInt(Problem::line)
            .thenComparingInt(Problem::column));
    if (further > 0) {
      String more = "%,d more problems are not shown".formatted(further);
      result.add(new Problem(order.get(order.size() - 1), 0, 0, "", more, ""));
    }
    return result;
  }

  /** Ends the reading: {@code result}, or every problem. */
  public <T> T result(Optional<T> result) throws InvalidInputException {
    List<Problem> found = problems();
    if (!found.isEmpty()) {
      throw new InvalidInputException(found);
    }
    return result.orElseThrow(() -> new IllegalStateException("no result and no problem"));
  }
}
