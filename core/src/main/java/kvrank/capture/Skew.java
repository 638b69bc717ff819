package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import kvrank.capture.Accesses.Newborn;
import kvrank.capture.FrequencyProfile.Fit;
import kvrank.capture.FrequencyProfile.Popular;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import org.apache.commons.math3.analysis.MultivariateFunction;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.PointValuePair;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.SimplexOptimizer;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * The popularity of keys, and how certain it is.
 *
 * @param choice the distribution that fits best
 * @param fits whether the accesses could come from this distribution
 * @param keys the number of keys
 * @param evidence how it was found, as sentences for a user
 */
public record Skew(KeyChoice choice, boolean fits, long keys, String evidence) {

  /** The label of the intervals in a text that shows some. */
  public static final String INTERVALS = "Intervals after +- are of 95 %. ";

  /** The fewest accesses to which a distribution is fitted. */
  public static final int LEAST_ACCESSES = 1_000;

  /** Popularity moves if {@link Accesses#moving} is at least this. */
  private static final double MOVING = 1.15;

  /**
   * The fewest reads of new keys to which {@code latest} is fitted, and the largest distance of
   * their ages from the model.
   */
  private static final int LEAST_NEWBORNS = 300;

  private static final double AGE_DISTANCE = 0.15;

  /**
   * The most popular keys are computed one by one, the others in {@link #STEPS} groups per octave.
   */
  private static final int EXACT_RANKS = 256;

  private static final double STEPS = 16;

  /** Accesses cannot show that there are this many times as many keys as were accessed, or more. */
  private static final double MOST_UNSEEN = 10;

  /**
   * Returns the rest of the text after the evidence, without a full stop: whether the distribution
   * fits.
   */
  public String conclusion(String distribution) {
    return fits
        ? ". So keys are " + distribution
        : (". No distribution fits: with each, other numbers of keys would be accessed once, twice and"
                + " so on (p < %s). Only a trace replays the popularity itself; the nearest distribution"
                + " is %s")
            .formatted(Fit.LEAST_PROBABILITY, distribution);
  }

  /** Returns the skew of {@code keys}, which may grow; empty if accesses or keys are too few. */
  public static Optional<Skew> of(Accesses accesses, long keys, boolean grows) {
    int[] counts = accesses.counts();
    if (accesses.count() < LEAST_ACCESSES || counts.length < 2) {
      return Optional.empty();
    }
    long all = Math.max(keys, counts.length);
    double moving = accesses.moving();
    if (moving < MOVING) {
      return Optional.of(still(accesses, all, seen(accesses), 0));
    }
    String what =
        "Popularity moves: two accesses of one window are to the same key %.1f times as often as"
            + " two of different windows. ";
    return Optional.of(moving(accesses, all, grows, seen(accesses) + what.formatted(moving)));
  }

  /**
   * Returns the skew if there may be keys that were never accessed: of the accessed keys, or, if no
   * distribution of these fits, of the most likely number of keys, if one fits then.
   */
  public static Optional<Skew> ofAtLeast(Accesses accesses, long seen, boolean grows) {
    return of(accesses, seen, grows)
        .map(known -> known.fits() || accesses.moving() >= MOVING ? known : known.unseen(accesses));
  }

  private Skew unseen(Accesses accesses) {
    long all = mostLikely(accesses, keys);
    String found = "%s%,d keys were accessed; most likely total: %,d. ";
    Skew other = still(accesses, all, found.formatted(seen(accesses), keys, all), 1);
    String doubt =
        ". This counts only accessed keys: if there are others, which these accesses cannot show,"
            + " the exponent is too low";
    return other.fits && all < MOST_UNSEEN * keys
        ? other
        : new Skew(choice, false, keys, evidence + doubt);
  }

  /** Returns the maximum-likelihood estimate of the number of keys with Zipf popularity. */
  private static long mostLikely(Accesses accesses, long least) {
    FrequencyProfile profile = new FrequencyProfile(accesses.counts(), least, accesses.count());
    MultivariateFunction likelihood =
        point ->
            profile.logLikelihood(
                zipf(Math.min(4, Math.max(0.01, point[0])), more(least, point[1])), 1);
    NelderMeadSimplex steps = new NelderMeadSimplex(new double[] {0.1, 1});
    return more(least, maximum(likelihood, steps, 1e-4, 0.9, -1).getPoint()[1]);
  }

  private static long more(long least, double logarithm) {
    return Math.round(least * Math.min(MOST_UNSEEN, 1 + Math.exp(logarithm)));
  }

  private static String seen(Accesses accesses) {
    return "%,d accesses in %d windows. ".formatted(accesses.count(), accesses.windows());
  }

  /**
   * Returns the skew if the same keys stay popular; {@code fitted} other parameters were fitted.
   */
  private static Skew still(Accesses accesses, long keys, String seen, int fitted) {
    FrequencyProfile profile = new FrequencyProfile(accesses.counts(), keys, accesses.count());
    double exponent = maximum(s -> profile.logLikelihood(zipf(s, keys)));
    List<Popular> zipf = zipf(exponent, keys);
    double[] hot = hotspot(profile, keys);
    List<Popular> spot = hotspot(hot[0], hot[1], keys);
    List<Popular> equal = List.of(new Popular(keys, 1.0 / keys));
    // Akaike's criterion: each parameter has to raise the log-likelihood by at least 1.
    double ofEqual = profile.logLikelihood(equal);
    double ofZipf = profile.logLikelihood(zipf) - 1;
    double ofSpot = profile.logLikelihood(spot) - 2;
    if (ofEqual >= Math.max(ofZipf, ofSpot)) {
      Fit fit = profile.fit(equal, fitted);
      return new Skew(
          KeyChoice.of(Distribution.UNIFORM), fit.good(), keys, seen + "Uniform: " + fit);
    }
    Fit zipfFit = profile.fit(zipf, 1 + fitted);
    Fit spotFit = profile.fit(spot, 2 + fitted);
    double deviation = profile.deviation(s -> zipf(s, keys), exponent);
    String evidence =
        (seen
                + "Fitted to access counts of %,d keys: zipfian with exponent %.3f +- %.3f, %s;"
                + " hotspot with %.3g of the keys and %.3g of the accesses, %s")
            .formatted(keys, exponent, 1.96 * deviation, zipfFit, hot[0], hot[1], spotFit);
    KeyChoice spotChoice =
        new KeyChoice(Distribution.HOTSPOT, KeyChoice.DEFAULT_EXPONENT, hot[0], hot[1]);
    return ofSpot > ofZipf
        ? new Skew(spotChoice, spotFit.good(), keys, evidence)
        : new Skew(zipfian(Distribution.ZIPFIAN, exponent), zipfFit.good(), keys, evidence);
  }

  /** Returns the skew if popularity moves from key to key. */
  private static Skew moving(Accesses accesses, long keys, boolean grows, String seen) {
    int born = accesses.newborns().size();
    if (born >= LEAST_NEWBORNS) {
      double exponent = maximum(s -> ageLikelihood(accesses, s, keys));
      double distance = ageDistance(accesses, exponent, keys);
      if (distance < AGE_DISTANCE) {
        Fit fit = ageFit(accesses, exponent, keys);
        String latest =
            "Latest: exponent %.3f, fitted to the ages of %,d keys that were read after their"
                + " insertion; their distribution is within %.3f of it, %s";
        return new Skew(
            zipfian(Distribution.LATEST, exponent),
            fit.good(),
            keys,
            seen + latest.formatted(exponent, born, distance, fit));
      }
    }
    // Within a window popularity hardly moves, unless many keys are inserted in it.
    int windows = accesses.windows();
    FrequencyProfile profile =
        new FrequencyProfile(
            accesses.countsByWindow(),
            (double) keys * windows,
            (double) accesses.count() / windows);
    double exponent = maximum(s -> profile.logLikelihood(copies(zipf(s, keys), windows)));
    Fit fit = profile.fit(copies(zipf(exponent, keys), windows), 1);
    boolean latest = grows && born < LEAST_NEWBORNS;
    String within = "Zipfian within a window: exponent %.3f, fitted to access counts, %s";
    return new Skew(
        zipfian(latest ? Distribution.LATEST : Distribution.ZIPFIAN, exponent),
        latest && fit.good(),
        keys,
        seen + within.formatted(exponent, fit));
  }

  /** Returns the distribution of the keys, uniform if unknown. */
  static KeyChoice choiceOf(Optional<Skew> skew) {
    return skew.map(Skew::choice).orElse(KeyChoice.of(Distribution.UNIFORM));
  }

  /**
   * Returns the number of keys of which an LRU cache of {@code held} keys has the hit ratio {@code
   * hits}, by the characteristic time of the cache (Che, Tung and Wang, "Hierarchical Web caching
   * systems", 2002). It is {@code held} if popularity moves, and at most 1,000 times that.
   */
  static long population(KeyChoice choice, long held, double hits) {
    long fewest = held;
    long most = choice.distribution() == Distribution.LATEST ? held : 1_000 * held;
    while (most - fewest > fewest / 1_000) {
      long middle = (fewest + most) / 2;
      if (hitRatio(model(choice, middle), held) > hits) {
        fewest = middle;
      } else {
        most = middle;
      }
    }
    return fewest;
  }

  static List<Popular> model(KeyChoice choice, long keys) {
    return switch (choice.distribution()) {
      case ZIPFIAN -> zipf(choice.exponent(), keys);
      case HOTSPOT -> hotspot(choice.hotKeys(), choice.hotOperations(), keys);
      default -> List.of(new Popular(keys, 1.0 / keys));
    };
  }

  /** Returns the hit ratio of a cache of {@code held} keys. */
  private static double hitRatio(List<Popular> model, long held) {
    double low = 0;
    double high = 1;
    while (sum(model, high, 0) < held && high < 1e18) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 50; i++) {
      double time = (low + high) / 2;
      boolean full = sum(model, time, 0) >= held;
      low = full ? low : time;
      high = full ? time : high;
    }
    return sum(model, high, 1);
  }

  /**
   * Returns the expected number of keys (power 0) or share of accesses (power 1) that recur within
   * {@code time} accesses.
   */
  private static double sum(List<Popular> model, double time, int power) {
    return model.stream()
        .mapToDouble(
            each ->
                -each.keys()
                    * Math.pow(each.probability(), power)
                    * Math.expm1(-each.probability() * time))
        .sum();
  }

  private static KeyChoice zipfian(Distribution distribution, double exponent) {
    KeyChoice standard = KeyChoice.of(distribution);
    return new KeyChoice(distribution, exponent, standard.hotKeys(), standard.hotOperations());
  }

  /** Returns the exponent with the highest likelihood. */
  private static double maximum(DoubleUnaryOperator likelihood) {
    return new BrentOptimizer(1e-6, 1e-5)
        .optimize(
            new UnivariateObjectiveFunction(likelihood::applyAsDouble),
            GoalType.MAXIMIZE,
            new SearchInterval(0.01, 4, 0.9),
            new MaxEval(200))
        .getPoint();
  }

  private static PointValuePair maximum(
      MultivariateFunction likelihood, NelderMeadSimplex steps, double near, double... start) {
    return new SimplexOptimizer(1e-9, near)
        .optimize(
            new ObjectiveFunction(likelihood),
            GoalType.MAXIMIZE,
            new InitialGuess(start),
            steps,
            new MaxEval(2_000));
  }

  /** Returns the shares of keys and accesses of the hot spot that fits best. */
  private static double[] hotspot(FrequencyProfile profile, long keys) {
    MultivariateFunction likelihood =
        point -> profile.logLikelihood(hotspot(share(point[0]), share(point[1]), keys));
    double[] best =
        Stream.of(new double[][] {{-5, 1}, {-3, 1}, {-3, 3}, {-1.4, 1.4}, {0, 3}})
            .map(start -> maximum(likelihood, new NelderMeadSimplex(2), 1e-6, start))
            .max(Comparator.comparing(PointValuePair::getValue))
            .orElseThrow()
            .getPoint();
    // Hot keys have more than their share of accesses.
    double sign = best[1] >= best[0] ? 1 : -1;
    return new double[] {share(sign * best[0]), share(sign * best[1])};
  }

  /** Maps any number to a share between 0 and 1, by the logistic function. */
  private static double share(double x) {
    return Math.min(1 - 1e-6, Math.max(1e-6, 1 / (1 + Math.exp(-x))));
  }

  private static List<Popular> hotspot(double share, double accesses, long keys) {
    double hot = Math.max(1, share * keys);
    double cold = Math.max(1, keys - hot);
    return List.of(new Popular(hot, accesses / hot), new Popular(cold, (1 - accesses) / cold));
  }

  private static List<Popular> zipf(double exponent, long keys) {
    List<Popular> weights = new ArrayList<>();
    for (double first = 1; first <= keys; ) {
      double end = first < EXACT_RANKS ? first + 1 : Math.floor(first * Math.pow(2, 1 / STEPS));
      end = Math.min(end, keys + 1.0);
      double weight =
          end == first + 1
              ? Math.pow(first, -exponent)
              : integral(first - 0.5, end - 0.5, exponent) / (end - first);
      weights.add(new Popular(end - first, weight));
      first = end;
    }
    double sum = weights.stream().mapToDouble(each -> each.keys() * each.probability()).sum();
    return weights.stream()
        .map(each -> new Popular(each.keys(), each.probability() / sum))
        .toList();
  }

  private static List<Popular> copies(List<Popular> model, int times) {
    return model.stream()
        .map(each -> new Popular(each.keys() * times, each.probability()))
        .toList();
  }

  /** Returns the integral of {@code x^-exponent}. */
  private static double integral(double from, double to, double exponent) {
    double power = 1 - exponent;
    return Math.abs(power) < 1e-9
        ? Math.log(to / from)
        : (Math.pow(to, power) - Math.pow(from, power)) / power;
  }

  /** Returns the probabilities that a read is of one of the newest 0, 1, 2, … keys. */
  private static double[] newest(int most, double exponent, long keys) {
    double[] sums = new double[most + 1];
    for (int rank = 1; rank <= most; rank++) {
      sums[rank] = sums[rank - 1] + Math.pow(rank, -exponent);
    }
    double all = sums[most] + integral(most + 0.5, keys + 0.5, exponent);
    return DoubleStream.of(sums).map(sum -> sum / all).toArray();
  }

  /**
   * Returns the log-likelihood of the reads: of the ages of new keys, or of reading an older key.
   */
  private static double ageLikelihood(Accesses accesses, double exponent, long keys) {
    int[] reads = accesses.readsByMade();
    double[] newest = newest(reads.length, exponent, keys);
    double likelihood = 0;
    for (Newborn read : accesses.newborns()) {
      reads[read.made()]--;
      likelihood += Math.log(newest[read.age() + 1] - newest[read.age()]);
    }
    for (int made = 1; made < reads.length; made++) {
      likelihood += reads[made] * Math.log1p(-newest[made]);
    }
    return likelihood;
  }

  /** Returns the fit of ages, from the number of reads in each class of ages. */
  private static Fit ageFit(Accesses accesses, double exponent, long keys) {
    int[] reads = accesses.readsByMade();
    double[] newest = newest(reads.length, exponent, keys);
    double statistic = 0;
    double differences = 0;
    double means = 0;
    int classes = 0;
    for (int first = 0; first < reads.length; ) {
      int from = first;
      int end = 2 * first + 1;
      double mean = 0;
      for (int made = from + 1; made < reads.length; made++) {
        mean += reads[made] * (newest[Math.min(end, made)] - newest[from]);
      }
      if (mean >= FrequencyProfile.LEAST_EXPECTED) {
        double seen =
            accesses.newborns().stream()
                .filter(read -> read.age() >= from && read.age() < end)
                .count();
        statistic += (seen - mean) * (seen - mean) / mean;
        differences += seen - mean;
        means += mean;
        classes++;
      }
      first = end;
    }
    // The reads of other keys are a class, too.
    double others = Arrays.stream(reads).skip(1).sum() - means;
    statistic += differences * differences / Math.max(1, others);
    return new Fit(statistic, Math.max(1, classes - 1));
  }

  /** Returns by how many reads an age's distribution function is off, by those of new keys. */
  private static double ageDistance(Accesses accesses, double exponent, long keys) {
    int[] reads = accesses.readsByMade();
    double[] newest = newest(reads.length, exponent, keys);
    double most = 0;
    for (int ages = 1; ages < reads.length; ages *= 2) {
      int limit = ages;
      double difference = -accesses.newborns().stream().filter(read -> read.age() < limit).count();
      for (int made = 1; made < reads.length; made++) {
        difference += reads[made] * newest[Math.min(ages, made)];
      }
      most = Math.max(most, Math.abs(difference));
    }
    return most / accesses.newborns().size();
  }
}
