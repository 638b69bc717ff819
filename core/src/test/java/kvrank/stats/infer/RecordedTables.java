package kvrank.stats.infer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The noise of the executions in {@code board/}: one table for each phase at each factor point,
 * with the throughput of twelve engines or more in each of five repetitions.
 */
final class RecordedTables {

  private static final int REPETITIONS = 5;

  private final int engines;

  /** Logarithms less the engine's mean, by table, engine and repetition. */
  private final Collection<List<double[]>> tables;

  RecordedTables(int engines) {
    this.engines = engines;
    Map<String, List<double[]>> read = new LinkedHashMap<>();
    try (BufferedReader csv =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    RecordedTables.class.getResourceAsStream("/noise/board.csv")),
                StandardCharsets.UTF_8))) {
      for (String line : csv.lines().skip(1).toList()) {
        String[] fields = line.split(",", -1);
        double[] logs =
            IntStream.range(0, REPETITIONS)
                .mapToDouble(r -> Math.log(Double.parseDouble(fields[2 + r])))
                .toArray();
        double mean = Arrays.stream(logs).average().orElseThrow();
        Arrays.setAll(logs, r -> logs[r] - mean);
        read.computeIfAbsent(fields[0], any -> new ArrayList<>()).add(logs);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.tables = read.values();
  }

  /** Draws a table, engines of it, and as many of its blocks. */
  PlantedRanks.Drawn draw(int blocks, RandomGenerator random) {
    Random shuffle = new Random(random.nextLong());
    List<List<double[]>> choices = new ArrayList<>(tables);
    List<double[]> rows = new ArrayList<>(choices.get(random.nextInt(choices.size())));
    Collections.shuffle(rows, shuffle);
    List<Integer> order = new ArrayList<>(IntStream.range(0, REPETITIONS).boxed().toList());
    Collections.shuffle(order, shuffle);
    double[][] logs = new double[engines][blocks];
    double[] deviations = new double[engines];
    for (int e = 0; e < engines; e++) {
      double[] row = rows.get(e);
      Arrays.setAll(logs[e], b -> row[order.get(b)]);
      deviations[e] = Math.sqrt(Arrays.stream(row).map(log -> log * log).sum() / (REPETITIONS - 1));
    }
    return new PlantedRanks.Drawn(logs, deviations);
  }
}
