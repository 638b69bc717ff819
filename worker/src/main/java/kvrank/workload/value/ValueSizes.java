package kvrank.workload.value;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.random.Zipf;

/**
 * The lengths of values: a histogram, or one for each part of the records by popularity.
 *
 * @param spread how lengths are chosen in a bin
 * @param bins at least one, in ascending order; none if there are parts
 * @param parts of the records, the most popular ones first; normally none
 * @param newest whether newer records are the more popular ones
 * @param fields how many lengths are drawn and added for one value; normally 1
 */
public record ValueSizes(
    Spread spread, List<Bin> bins, List<Part> parts, boolean newest, int fields) {

  /** The longest value, as in Redis. */
  public static final int MOST_BYTES = 512 << 20;

  /** The largest number of fields of a value. */
  public static final int MOST_FIELDS = 100_000;

  /** Sums over more of Zipf's ranks are approximated by integrals. */
  private static final int RANKS = 100_000;

  public ValueSizes {
    bins = List.copyOf(bins);
    parts = List.copyOf(parts);
  }

  /** Lengths of one draw each. */
  public ValueSizes(Spread spread, List<Bin> bins, List<Part> parts, boolean newest) {
    this(spread, bins, parts, newest, 1);
  }

  /** Lengths that do not depend on popularity. */
  public ValueSizes(Spread spread, List<Bin> bins) {
    this(spread, bins, List.of(), false);
  }

  /** Returns the lengths of the sums of this many draws. */
  public ValueSizes times(int newFields) {
    return new ValueSizes(spread, bins, parts, newest, newFields);
  }

  /**
   * A part of the records with lengths of its own.
   *
   * @param records its share of all records
   * @param sizes lengths without parts
   */
  public record Part(double records, ValueSizes sizes) {}

  /** How lengths are chosen in a bin. */
  public enum Spread {
    UNIFORM,
    /** Zipf's distribution over the lengths, exponent 0.99: mostly small, a few large. */
    ZIPFIAN
  }

  /**
   * Lengths from {@code min} to {@code max} bytes.
   *
   * @param weight the number of such values, as a share of all weights
   */
  public record Bin(int min, int max, int weight) {

    private long lengths() {
      return max - min + 1L;
    }
  }

  public static ValueSizes fixed(int bytes) {
    return between(bytes, bytes, Spread.UNIFORM);
  }

  public static ValueSizes between(int min, int max, Spread spread) {
    return new ValueSizes(min == max ? Spread.UNIFORM : spread, List.of(new Bin(min, max, 1)));
  }

  public int min() {
    return parts.isEmpty()
        ? fields * bins.get(0).min()
        : parts.stream().mapToInt(part -> part.sizes().min()).min().orElseThrow();
  }

  public int max() {
    return parts.isEmpty()
        ? fields * bins.get(bins.size() - 1).max()
        : parts.stream().mapToInt(part -> part.sizes().max()).max().orElseThrow();
  }

  /** Returns the mean length of the values of all records. */
  public double mean() {
    if (!parts.isEmpty()) {
      return parts.stream().mapToDouble(part -> part.records() * part.sizes().mean()).sum();
    }
    double sum = 0;
    double weights = 0;
    for (Bin bin : bins) {
      weights += bin.weight();
      sum += bin.weight() * (bin.min() + meanBeyond(bin.lengths()));
    }
    return fields * sum / weights;
  }

  /** Returns the mean length beyond the shortest of a bin. */
  private double meanBeyond(long lengths) {
    double exponent = KeyChoice.DEFAULT_EXPONENT;
    return switch (spread) {
      case UNIFORM -> (lengths - 1) / 2.0;
      case ZIPFIAN -> powers(lengths, 1 - exponent) / powers(lengths, -exponent) - 1;
    };
  }

  /** Returns the sum of {@code rank^power} over the ranks from 1 to {@code last}. */
  private static double powers(long last, double power) {
    double sum = 0;
    for (double rank = 1; rank <= Math.min(last, RANKS); rank++) {
      sum += Math.pow(rank, power);
    }
    return last <= RANKS
        ? sum
        : sum + (Math.pow(last + 0.5, power + 1) - Math.pow(RANKS + 0.5, power + 1)) / (power + 1);
  }

  /** Draws lengths. */
  public interface Lengths {
    int draw(long id, CounterRandom draws);
  }

  /**
   * Returns a generator of lengths, for one thread.
   *
   * @param all the number of records that the parts divide
   * @param ranks the ranks of records by popularity
   */
  public Lengths lengths(long all, LongUnaryOperator ranks) {
    if (parts.isEmpty()) {
      return lengths();
    }
    Lengths[] in = parts.stream().map(part -> part.sizes().lengths()).toArray(Lengths[]::new);
    double[] reached = parts.stream().mapToDouble(Part::records).toArray();
    Arrays.parallelPrefix(reached, Double::sum);
    long[] ends = Arrays.stream(reached).mapToLong(share -> Math.round(share * all)).toArray();
    return (id, draws) -> {
      long rank = ranks.applyAsLong(id);
      int part = 0;
      while (part < in.length - 1 && rank >= ends[part]) {
        part++;
      }
      return in[part].draw(id, draws);
    };
  }

  private Lengths lengths() {
    Lengths one = ofOneField();
    if (fields == 1) {
      return one;
    }
    return (id, draws) -> {
      int sum = 0;
      for (int field = 0; field < fields; field++) {
        sum += one.draw(id, draws);
      }
      return sum;
    };
  }

  private Lengths ofOneField() {
    Lengths[] in = bins.stream().map(this::in).toArray(Lengths[]::new);
    if (in.length == 1) {
      return in[0];
    }
    // The cumulative weights.
    long[] reached = bins.stream().mapToLong(Bin::weight).toArray();
    Arrays.parallelPrefix(reached, Long::sum);
    long weights = reached[reached.length - 1];
    return (id, draws) -> {
      int place = Arrays.binarySearch(reached, draws.nextBelow(weights) + 1);
      return in[place < 0 ? -place - 1 : place].draw(id, draws);
    };
  }

  private Lengths in(Bin bin) {
    int min = bin.min();
    long lengths = bin.lengths();
    if (lengths == 1) {
      return (id, draws) -> min;
    }
    Zipf zipf = new Zipf(KeyChoice.DEFAULT_EXPONENT);
    return switch (spread) {
      case UNIFORM -> (id, draws) -> min + (int) draws.nextBelow(lengths);
      case ZIPFIAN -> (id, draws) -> min + (int) zipf.sample(draws, lengths);
    };
  }
}
