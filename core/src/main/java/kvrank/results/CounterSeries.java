package kvrank.results;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An engine's own figures over time: {@code counters.csv}. */
public record CounterSeries(List<Sample> samples) {

  static final String HEADING = "phase,elapsed_ms,counter,total,value";

  /**
   * One figure.
   *
   * @param elapsedMillis since the start of the phase
   * @param total whether it is a count since the engine was opened
   */
  public record Sample(
      String phase, long elapsedMillis, String counter, boolean total, double value) {

    Sample in(String name) {
      return new Sample(name, elapsedMillis, counter, total, value);
    }
  }

  /** Reads {@code file}; empty if it is missing, as that of most engines. */
  public static CounterSeries read(Path file) throws UnreadableException {
    List<Sample> samples = new ArrayList<>();
    if (!Files.exists(file, NOFOLLOW_LINKS)) {
      return new CounterSeries(samples);
    }
    List<String> lines = Json.lines(file);
    if (lines.isEmpty() || !lines.get(0).equals(HEADING)) {
      throw new UnreadableException(file + ": does not begin with '" + HEADING + "'");
    }
    for (int i = 1; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",", -1);
      try {
        if (cells.length != 5) {
          throw new IllegalArgumentException("not 5 cells");
        }
        samples.add(
            new Sample(
                cells[0],
                Plausibility.whole(cells[1]),
                cells[2],
                Boolean.parseBoolean(cells[3]),
                Plausibility.number(cells[4])));
      } catch (IllegalArgumentException e) {
        throw Json.brokenLine(file, i + 1, lines.get(i));
      }
    }
    return new CounterSeries(samples);
  }
}
