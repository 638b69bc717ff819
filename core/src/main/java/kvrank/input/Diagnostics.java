package kvrank.input;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Collects the problems of one reading of the user's input, and the maps whose keys were read. */
public final class Diagnostics {

  /** More come from one mistake that repeats, or from a file of another kind. */
  private static final int MAX_PROBLEMS = 50;

  private final Set<Path> files = new LinkedHashSet<>();
  private final Set<Problem> problems = new LinkedHashSet<>();
  private final Map<Path, String> concealed = new HashMap<>();
  private long omitted;
  private final List<YamlValue> maps = new ArrayList<>();
  private final List<Diagnostics> parts = new ArrayList<>();
  private final Map<SourceLocation, Secret> secrets = new LinkedHashMap<>();
  private final Map<SourceLocation, String> programs = new LinkedHashMap<>();

  /** Adds a file; problems are listed in the order in which their files were added. */
  public void opened(Path file) {
    files.add(file);
  }

  /** Adds a problem; {@code problem} is called only while there are fewer than the maximum. */
  void report(Supplier<Problem> problem) {
    if (problems.size() >= MAX_PROBLEMS) {
      omitted++;
      return;
    }
    Problem added = problem.get();
    opened(added.file());
    problems.add(added);
  }

  /** Lets problems of {@code file} show none of its text, because it is {@code reason}. */
  public void conceal(Path file, String reason) {
    concealed.put(file, reason);
  }

  /** Returns the reason of {@link #conceal} for {@code file}, if there is one. */
  Optional<String> concealed(Path file) {
    return Optional.ofNullable(concealed.get(file));
  }

  /** Adds a secret that the plan needs; {@code place} is where the input names it. */
  public void needs(SourceLocation place, Secret secret) {
    secrets.put(place, secret);
  }

  /**
   * Adds a program that does not come with kvrank and that a run would start. It is shown in one
   * line: a carriage return in the name of a file would hide what is before it.
   */
  public void starts(SourceLocation place, String program) {
    programs.put(place, Problem.printable(program).replaceAll("\\p{Cc}", "\uFFFD"));
  }

  /** Reports every program that is not allowed; asks only if there is no other problem. */
  public void requirePrograms(Consent consent) {
    if (!programs.isEmpty()
        && problems().isEmpty()
        && !consent.programs().test(List.copyOf(programs.values()))) {
      programs.forEach(
          (place, program) ->
              place.report(
                  "would run '%s', which does not come with kvrank; if you trust this scenario, add"
                      + " --allow-commands",
                  program));
    }
  }

  /** Reports every needed secret that is not allowed or cannot be read. */
  public void requireSecrets(Consent consent) {
    secrets.forEach(
        (place, secret) -> {
          try {
            secret.requireAllowed(place.file().toAbsolutePath().getParent(), consent.secrets());
            secret.read();
          } catch (IOException e) {
            // Its line is not shown: it may contain the secret itself instead of a name.
            place.withoutLine().report("%s", e.getMessage());
          }
        });
  }

  /** Adds a map that was asked for keys. */
  void asked(YamlValue map) {
    maps.add(map);
  }

  /** Adds the results of another reading, which has ended. */
  public void add(Diagnostics part) {
    parts.add(part);
    part.files.forEach(this::opened);
  }

  public List<YamlValue> maps() {
    List<YamlValue> result = new ArrayList<>(maps);
    parts.forEach(part -> result.addAll(part.maps()));
    return result;
  }

  /** Returns every problem, unknown keys included, sorted by file and position. */
  public List<Problem> problems() {
    maps.forEach(YamlValue::reportUnknownKeys);
    parts.forEach(part -> part.problems().forEach(problem -> report(() -> problem)));
    List<Path> order = List.copyOf(files);
    List<Problem> result = new ArrayList<>(problems);
    result.sort(
        Comparator.comparingInt((Problem problem) -> order.indexOf(problem.file()))
            .thenComparingInt(Problem::line)
            .thenComparingInt(Problem::column));
    if (omitted > 0) {
      String more = "%,d more problems are not shown".formatted(omitted);
      result.add(new Problem(order.get(order.size() - 1), 0, 0, "", more, ""));
    }
    return result;
  }

  /**
   * Returns {@code result}, which is present if there are no problems.
   *
   * @throws InvalidInputException with every problem, if there is one
   */
  public <T> T result(Optional<T> result) throws InvalidInputException {
    List<Problem> reported = problems();
    if (!reported.isEmpty()) {
      throw new InvalidInputException(reported);
    }
    return result.orElseThrow(() -> new IllegalStateException("no result and no problem"));
  }
}
