package kvrank.results;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Resources over time: {@code resources.csv}. */
public record ResourceSeries(List<Sample> samples) {

  private static final String PHASE = "phase";
  private static final String ELAPSED = "elapsed_ms";
  private static final String PROCESS = "process";
  private static final String WARMUP = "warmup";

  /** What a sample is of: {@code server}, {@code client} or {@code device}. */
  public static final String SERVER = "server";

  public static final String CLIENT = "client";
  public static final String DEVICE = "device";

  /** The data directory, whose samples have only {@link Column#FOOTPRINT_BYTES}. */
  public static final String DATA = "data";

  /** The figures of a sample, in the order of the file; older files lack the last ones. */
  public enum Column {
    USER_SECONDS,
    SYSTEM_SECONDS,
    RESIDENT_BYTES,
    READ_BYTES,
    WRITTEN_BYTES,
    CHILDREN_BYTES,
    CANCELLED_BYTES,
    FLUSHES,
    ANONYMOUS_BYTES,
    MAJOR_FAULTS,
    FOOTPRINT_BYTES;

    private String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The columns that every file has. */
  private static final List<Column> REQUIRED =
      List.of(
          Column.USER_SECONDS,
          Column.SYSTEM_SECONDS,
          Column.RESIDENT_BYTES,
          Column.WRITTEN_BYTES,
          Column.FLUSHES);

  /** The first line of a file. */
  public static final String HEADING =
      Stream.concat(
              Stream.of(PHASE, ELAPSED, PROCESS, WARMUP),
              Stream.of(Column.values()).map(Column::label))
          .collect(Collectors.joining(",", "", "\n"));

  /** Returns a line of a file, with the values of {@code figures} as they are. */
  public static String line(
      String phase,
      long elapsedMillis,
      String process,
      boolean warmup,
      Map<Column, String> figures) {
    return Stream.concat(
            Stream.of(phase, Long.toString(elapsedMillis), process, Boolean.toString(warmup)),
            Stream.of(Column.values()).map(column -> figures.getOrDefault(column, "")))
        .collect(Collectors.joining(",", "", "\n"));
  }

  /**
   * One sample of a process, the device or the data directory.
   *
   * @param figures without those that it does not have
   */
  public record Sample(
      String phase,
      long elapsedMillis,
      String process,
      boolean warmup,
      Map<Column, Double> figures) {

    /** Returns a figure; empty if this process or the file does not have it. */
    public OptionalDouble figure(Column column) {
      Double figure = figures.get(column);
      return figure == null ? OptionalDouble.empty() : OptionalDouble.of(figure);
    }

    public OptionalDouble cpuSeconds() {
      OptionalDouble user = figure(Column.USER_SECONDS);
      OptionalDouble system = figure(Column.SYSTEM_SECONDS);
      return user.isPresent() && system.isPresent()
          ? OptionalDouble.of(user.getAsDouble() + system.getAsDouble())
          : OptionalDouble.empty();
    }

    public OptionalDouble residentBytes() {
      return figure(Column.RESIDENT_BYTES);
    }

    public OptionalDouble writtenBytes() {
      return figure(Column.WRITTEN_BYTES);
    }

    public OptionalDouble flushes() {
      return figure(Column.FLUSHES);
    }

    Sample in(String name) {
      return at(name, elapsedMillis);
    }

    private Sample at(String name, long millis) {
      return new Sample(name, millis, process, warmup, figures);
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
    if (!heading.contains(WARMUP)) {
      return new ResourceSeries(samples);
    }
    if (!heading.containsAll(List.of(PHASE, ELAPSED, PROCESS))
        || !heading.containsAll(REQUIRED.stream().map(Column::label).toList())) {
      throw Json.brokenLine(file, 1, lines.get(0));
    }
    Map<Column, Integer> places = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      if (heading.contains(column.label())) {
        places.put(column, heading.indexOf(column.label()));
      }
    }
    for (int i = 1; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",", -1);
      try {
        if (cells.length != heading.size()) {
          throw new IllegalArgumentException("not %d cells".formatted(heading.size()));
        }
        samples.add(
            new Sample(
                cells[heading.indexOf(PHASE)],
                Plausibility.whole(cells[heading.indexOf(ELAPSED)]),
                cells[heading.indexOf(PROCESS)],
                Boolean.parseBoolean(cells[heading.indexOf(WARMUP)]),
                figures(cells, places)));
      } catch (IllegalArgumentException e) {
        throw Json.brokenLine(file, i + 1, lines.get(i));
      }
    }
    return new ResourceSeries(samples);
  }

  private static Map<Column, Double> figures(String[] cells, Map<Column, Integer> places) {
    Map<Column, Double> figures = new EnumMap<>(Column.class);
    places.forEach(
        (column, place) -> {
          if (!cells[place].isEmpty()) {
            figures.put(column, Plausibility.number(cells[place]));
          }
        });
    return figures;
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
