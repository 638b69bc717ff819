package kvrank.stats.infer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The noise of 20 executions of {@code scenarios/aa.yaml} on two cores that others used meanwhile:
 * the throughput of {@code zipfian} of Redis and RocksDB, each under three names, in 5 repetitions.
 */
final class RecordedNoise {

  private static final int ROWS = 6;
  private static final int REPETITIONS = 5;

  /** Logarithms less the row's mean, by execution, row and repetition. */
  private final List<double[][]> executions = new ArrayList<>();

  RecordedNoise() {
    try (BufferedReader csv =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(RecordedNoise.class.getResourceAsStream("/noise/aa.csv")),
                StandardCharsets.UTF_8))) {
      List<String> lines = csv.lines().skip(1).toList();
      for (int first = 0; first < lines.size(); first += REPETITIONS) {
        double[][] logs = new double[ROWS][REPETITIONS];
        for (int r = 0; r < REPETITIONS; r++) {
          String[] fields = lines.get(first + r).split(",", -1);
          for (int e = 0; e < ROWS; e++) {
            logs[e][r] = Math.log(Double.parseDouble(fields[2 + e]));
          }
        }
        for (double[] row : logs) {
          double mean = Arrays.stream(row).average().orElseThrow();
          Arrays.setAll(row, r -> row[r] - mean);
        }
        executions.add(logs);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Blocks of one execution, drawn with replacement; which row is whose is drawn for each. */
  Noise ofOneExecution() {
    return (engines, blocks, random) -> {
      double[][] from = executions.get(random.nextInt(executions.size()));
      double[][] table = new double[engines][blocks];
      for (int b = 0; b < blocks; b++) {
        int r = random.nextInt(REPETITIONS);
        int[] rows = rows(random);
        for (int e = 0; e < engines; e++) {
          // The spread of five values about their own mean is that much too small.
          table[e][b] = from[rows[e]][r] * Math.sqrt(REPETITIONS / (REPETITIONS - 1.0));
        }
      }
      return table;
    };
  }

  /** Blocks as they followed each other, from a random one on. */
  Noise inOrder() {
    return (engines, blocks, random) -> {
      int begin = random.nextInt(executions.size() * REPETITIONS);
      int[] rows = rows(random);
      double[][] table = new double[engines][blocks];
      for (int b = 0; b < blocks; b++) {
        int at = (begin + b) % (executions.size() * REPETITIONS);
        for (int e = 0; e < engines; e++) {
          table[e][b] = executions.get(at / REPETITIONS)[rows[e]][at % REPETITIONS];
        }
      }
      return table;
    };
  }

  private static int[] rows(RandomGenerator random) {
    List<Integer> rows = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
    Collections.shuffle(rows, new Random(random.nextLong()));
    return rows.stream().mapToInt(i -> i).toArray();
  }
}
