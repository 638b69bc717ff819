package kvrank.results;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Resources over time: {@code resources.csv}. */
public record ResourceSeries(List<Sample> samples) {

  private static final List<String> COLUMNS =
      List.of(
          "phase",
          "elapsed_ms",
          "process",
          "user_seconds",
          "system_seconds",
          "resident_bytes",
          "written_bytes",
          "flushes",
          "warmup");

  /** What a sample is of: {@code server}, {@code client} or {@code device}. */
  public static final String SERVER = "server";

  public static final String CLIENT = "client";
  public static final String DEVICE = "device";

  /** One sample of a process or the device; values that it does not have are empty. */
  public record Sample(
      String phase,
      long elapsedMillis,
      String process,
      OptionalDouble cpuSeconds,
      OptionalDouble residentBytes,
      OptionalDouble writtenBytes,
      OptionalDouble flushes,
      boolean warmup) {

    Sample in(String name) {
      return at(name, elapsedMillis);
    }

    private Sample at(String name, long millis) {
      return new Sample(
          name, millis, process, cpuSeconds, residentBytes, writtenBytes, flushes, warmup);
    }
  }

  /**
   * Reads {@code file}; empty if it is missing or from release 0.2.0, whose samples do not show the
   * end of a warm-up.
   */
  public static ResourceSeries read(Path file) throws UnreadableException {
    List<Sample> samples = new ArrayList<>();
    if (!Files.exists(file, NOFOLLOW_LINKS)) {
      return new ResourceSeries(samples);
    }
    List<String> lines = Json.lines(file);
    List<String> heading = lines.isEmpty() ? List.of() : List.of(lines.get(0).split(",", -1));
    int[] at = COLUMNS.stream().mapToInt(heading::indexOf).toArray();
    if (at[at.length - 1] < 0) {
      return new ResourceSeries(samples);
    }
    if (IntStream.of(at).anyMatch(column -> column < 0)) {
      throw Json.brokenLine(file, 1, lines.get(0));
    }
    for (int i = 1; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",", -1);
      try {
        if (cells.length != heading.size()) {
          throw new IllegalArgumentException("not %d cells".formatted(heading.size()));
        }
        OptionalDouble user = number(cells[at[3]]);
        OptionalDouble system = number(cells[at[4]]);
        samples.add(
            new Sample(
                cells[at[0]],
                Plausibility.whole(cells[at[1]]),
                cells[at[2]],
                user.isPresent() && system.isPresent()
                    ? OptionalDouble.of(user.getAsDouble() + system.getAsDouble())
                    : OptionalDouble.empty(),
                number(cells[at[5]]),
                number(cells[at[6]]),
                number(cells[at[7]]),
                Boolean.parseBoolean(cells[at[8]])));
      } catch (IllegalArgumentException e) {
        throw Json.brokenLine(file, i + 1, lines.get(i));
      }
    }
    return new ResourceSeries(samples);
  }

  private static OptionalDouble number(String cell) {
    return cell.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Plausibility.number(cell));
  }

  /** Returns the samples of {@code process} in {@code phase}, with the warm-up, which ends at 0. */
  public List<Sample> of(String phase, String process) {
    List<Sample> found =
        samples.stream()
            .filter(each -> each.phase().equals(phase) && each.process().equals(process))
            .toList();
    long origin =
        found.stream()
            .filter(each -> !each.warmup())
            .mapToLong(Sample::elapsedMillis)
            .findFirst()
            .orElse(0);
    return found.stream().map(each -> each.at(phase, each.elapsedMillis() - origin)).toList();
  }
}
