package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import kvrank.capture.FrequencyProfile.Popular;
import org.apache.commons.math3.special.Gamma;

/**
 * Lengths of values for parts of the keys, by popularity. How often a sampled key was accessed
 * gives the probability of each part; the lengths of each part are fitted to that by maximum
 * likelihood (expectation maximization). Neighbours whose lengths do not differ, by Schwarz's
 * criterion, become one part.
 */
final class LengthsByPopularity {

  /** The ratio of the last ranks of two adjacent parts before they are merged. */
  private static final int WIDTH = 4;

  private static final int MOST_PARTS = 12;

  /** Parts are not merged if the mean length of a read would be off by more than this. */
  private static final double OFF = 0.08;

  /** Lengths are compared in classes that have about the same number of keys. */
  private static final int CLASSES = 8;

  private static final int STEPS = 200;

  /**
   * A sampled key.
   *
   * @param accesses how often it was accessed
   * @param bytes the length of its value
   * @param weight the number of keys that it stands for, relative to others
   */
  record Sampled(int accesses, int bytes, double weight) {}

  /**
   * A part of the keys.
   *
   * @param keys its share of the keys
   * @param reads its share of the reads that find their key
   * @param bytes lengths of its values, the shortest first
   */
  record Part(double keys, double reads, List<Integer> bytes) {}

  private final List<Sampled> sample;
  private final List<Popular> model;
  private final double accesses;
  private final ToDoubleFunction<Popular> exists;
  private final int[] classEnds;

  /** Unequal weights make a sample worth less keys than it has. */
  private final double scale;

  /**
   * Fits parts.
   *
   * @param model the popularity of keys, the most popular first
   * @param accesses the number of accesses of all keys
   * @param exists the probability that a key exists
   */
  LengthsByPopularity(
      List<Sampled> sample,
      List<Popular> model,
      double accesses,
      ToDoubleFunction<Popular> exists) {
    this.sample = sample;
    this.model = model;
    this.accesses = accesses;
    this.exists = exists;
    this.scale = all() / sample.stream().mapToDouble(key -> key.weight() * key.weight()).sum();
    int[] sorted = sample.stream().mapToInt(Sampled::bytes).sorted().toArray();
    classEnds =
        IntStream.rangeClosed(1, CLASSES)
            .map(i -> sorted[Math.max(0, sorted.length * i / CLASSES - 1)])
            .distinct()
            .toArray();
  }

  /** Parts with the lengths that were fitted, and the mean length of a read. */
  private record Fitted(
      List<List<Popular>> parts, List<double[]> shares, double likelihood, double read) {}

  /**
   * Returns the parts; one if lengths do not depend on popularity.
   *
   * @param read the mean length of values that clients accessed
   */
  List<Part> parts(double read, long seed) {
    Fitted best = fitted(finest());
    double penalty = classEnds.length / 2.0 * Math.log(all() * scale);
    while (best.parts().size() > 1) {
      Fitted merged = null;
      for (int i = 1; i < best.parts().size(); i++) {
        Fitted other = fitted(merged(best.parts(), i));
        boolean near =
            Math.abs(other.read() - read)
                <= Math.max(OFF * read, Math.abs(best.read() - read) + 1e-9);
        if (near && (merged == null || other.likelihood() > merged.likelihood())) {
          merged = other;
        }
      }
      if (merged == null || best.likelihood() - merged.likelihood() > penalty) {
        break;
      }
      best = merged;
    }
    return parts(best, new SplittableRandom(seed));
  }

  private double all() {
    return sample.stream().mapToDouble(Sampled::weight).sum();
  }

  private List<List<Popular>> finest() {
    double end = 1;
    List<List<Popular>> parts = new ArrayList<>();
    List<Popular> open = new ArrayList<>();
    double keys = 0;
    for (Popular popular : model) {
      open.add(popular);
      keys += popular.keys();
      if (keys >= end && parts.size() < MOST_PARTS - 1) {
        parts.add(open);
        open = new ArrayList<>();
        while (end <= keys) {
          end *= WIDTH;
        }
      }
    }
    if (!open.isEmpty()) {
      parts.add(open);
    }
    return parts;
  }

  private static List<List<Popular>> merged(List<List<Popular>> parts, int second) {
    List<List<Popular>> merged = new ArrayList<>(parts);
    List<Popular> both = new ArrayList<>(merged.remove(second - 1));
    both.addAll(merged.remove(second - 1));
    merged.add(second - 1, both);
    return merged;
  }

  private int sizeClass(Sampled key) {
    int place = Arrays.binarySearch(classEnds, key.bytes());
    return place < 0 ? -place - 1 : place;
  }

  /** Returns the probabilities of the parts for keys with this number of accesses. */
  private double[] chances(List<List<Popular>> parts, int count) {
    double[] logs =
        parts.stream()
            .flatMap(List::stream)
            .mapToDouble(
                each ->
                    Math.log(each.keys() * exists.applyAsDouble(each))
                        + count * Math.log(accesses * each.probability())
                        - accesses * each.probability()
                        - Gamma.logGamma(count + 1.0))
            .toArray();
    double most = Arrays.stream(logs).max().orElse(0);
    double[] chances = new double[parts.size()];
    int next = 0;
    for (int part = 0; part < chances.length; part++) {
      for (int i = 0; i < parts.get(part).size(); i++) {
        chances[part] += Math.exp(logs[next++] - most);
      }
    }
    return normalized(chances);
  }

  private static double[] normalized(double... weights) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> sum > 0 ? weight / sum : weight).toArray();
  }

  private Fitted fitted(List<List<Popular>> parts) {
    // Keys of the same number of accesses and class of lengths are alike.
    int[] counts = sample.stream().mapToInt(Sampled::accesses).distinct().sorted().toArray();
    double[][] weights = new double[counts.length][classEnds.length];
    for (Sampled key : sample) {
      weights[Arrays.binarySearch(counts, key.accesses())][sizeClass(key)] += key.weight();
    }
    double[][] chances = new double[counts.length][];
    Arrays.setAll(chances, i -> chances(parts, counts[i]));
    double[][] shares = new double[parts.size()][classEnds.length];
    for (double[] row : shares) {
      Arrays.fill(row, 1.0 / classEnds.length);
    }
    double likelihood = Double.NEGATIVE_INFINITY;
    for (int step = 0; step < STEPS; step++) {
      double[][] next = new double[parts.size()][classEnds.length];
      double sum = 0;
      for (int i = 0; i < counts.length; i++) {
        for (int size = 0; size < classEnds.length; size++) {
          if (weights[i][size] > 0) {
            double all = 0;
            for (int part = 0; part < next.length; part++) {
              all += chances[i][part] * shares[part][size];
            }
            sum += weights[i][size] * Math.log(Math.max(1e-300, all));
            for (int part = 0; part < next.length && all > 0; part++) {
              next[part][size] += weights[i][size] * chances[i][part] * shares[part][size] / all;
            }
          }
        }
      }
      boolean settled = sum - likelihood < 1e-6 * Math.abs(sum) / sample.size();
      likelihood = sum;
      for (int part = 0; part < next.length; part++) {
        shares[part] = normalized(next[part]);
      }
      if (settled) {
        break;
      }
    }
    return new Fitted(parts, List.of(shares), scale * likelihood, read(parts, List.of(shares)));
  }

  /** Returns the mean length of a read, with the mean lengths of the parts. */
  private double read(List<List<Popular>> parts, List<double[]> shares) {
    Map<Integer, double[]> chances = new HashMap<>();
    double[] sums = new double[parts.size()];
    double[] weights = new double[parts.size()];
    for (Sampled key : sample) {
      double[] likely =
          likely(
              chances.computeIfAbsent(key.accesses(), count -> chances(parts, count)), shares, key);
      for (int part = 0; part < sums.length; part++) {
        sums[part] += key.weight() * likely[part] * key.bytes();
        weights[part] += key.weight() * likely[part];
      }
    }
    double found = model.stream().mapToDouble(this::found).sum();
    double read = 0;
    for (int part = 0; part < sums.length; part++) {
      double reads = parts.get(part).stream().mapToDouble(this::found).sum() / found;
      read += weights[part] > 0 ? reads * sums[part] / weights[part] : 0;
    }
    return read;
  }

  /** Returns the probabilities of the parts for a key, by its accesses and its length. */
  private double[] likely(double[] chances, List<double[]> shares, Sampled key) {
    double[] likely = new double[chances.length];
    Arrays.setAll(likely, part -> chances[part] * shares.get(part)[sizeClass(key)]);
    return normalized(likely);
  }

  private List<Part> parts(Fitted fitted, SplittableRandom random) {
    List<List<Integer>> bytes = new ArrayList<>();
    fitted.parts().forEach(part -> bytes.add(new ArrayList<>()));
    for (Sampled key : sample) {
      double[] likely = likely(chances(fitted.parts(), key.accesses()), fitted.shares(), key);
      // As often as it stands for others, on average.
      for (double left = key.weight(); left > 0 && random.nextDouble() < left; left--) {
        double place = random.nextDouble();
        int part = 0;
        while (part < likely.length - 1 && place >= likely[part]) {
          place -= likely[part++];
        }
        bytes.get(part).add(key.bytes());
      }
    }
    double keys = model.stream().mapToDouble(Popular::keys).sum();
    double found = model.stream().mapToDouble(this::found).sum();
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < fitted.parts().size(); i++) {
      List<Popular> part = fitted.parts().get(i);
      parts.add(
          new Part(
              part.stream().mapToDouble(Popular::keys).sum() / keys,
              part.stream().mapToDouble(this::found).sum() / found,
              bytes.get(i).stream().sorted().toList()));
    }
    return parts;
  }

  private double found(Popular popular) {
    return popular.keys() * popular.probability() * exists.applyAsDouble(popular);
  }
}
