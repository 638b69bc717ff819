package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import kvrank.capture.Accesses.Collisions;
import kvrank.capture.Accesses.Newborn;
import kvrank.capture.FrequencyProfile.Fit;
import kvrank.capture.FrequencyProfile.Popular;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.distribution.UniformRealDistribution;
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
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;

/**
 * Which keys are popular, and how sure that is.
 *
 * @param choice the distribution that comes nearest
 * @param fits whether the accesses could be of this distribution
 * @param evidence how it was found, in sentences
 */
record Skew(KeyChoice choice, boolean fits, List<String> evidence) {

  /** Fewer accesses say too little. */
  static final int LEAST_ACCESSES = 1_000;

  private static final double LEAST_EXPONENT = 0.01;
  private static final double MOST_EXPONENT = 4;

  /** Popularity moves if near collisions are so much more frequent than far ones. */
  private static final double MOVING = 1.15;

  /** Ages are judged by so many reads at least. */
  private static final int LEAST_NEWBORNS = 300;

  /** By how much the ages of read keys may differ from a model's, as a share of the reads. */
  private static final double AGE_DISTANCE = 0.05;

  /** And by how much their share may, as a share of what is expected. */
  private static final double NEWBORN_DISTANCE = 0.15;

  /** Each of the most popular keys is computed by itself; then there are so many to an octave. */
  private static final int EXACT_RANKS = 256;

  private static final double STEPS = 16;

  /**
   * Returns the skew; empty if there are too few accesses or keys.
   *
   * @param keys how many keys there are to choose from
   * @param grows whether keys are added
   */
  static Optional<Skew> of(Accesses accesses, long keys, boolean grows) {
    int[] counts = accesses.counts();
    if (accesses.count() < LEAST_ACCESSES || counts.length < 2) {
      return Optional.empty();
    }
    long all = Math.max(keys, counts.length);
    Collisions near = accesses.near();
    Collisions far = accesses.far();
    double expected = far.share() * near.pairs();
    boolean moves =
        accesses.windows() > 1
            && near.same() > MOVING * expected
            && near.same() - expected > 5 * Math.sqrt(Math.max(1, expected));
    return Optional.of(
        moves
            ? moving(accesses, all, grows, near, far)
            : still(new FrequencyProfile(counts, all, accesses.count()), accesses, all));
  }

  /** Popularity that stays with the same keys. */
  private static Skew still(FrequencyProfile profile, Accesses accesses, long keys) {
    List<Popular> equal = List.of(new Popular(keys, 1.0 / keys));
    double exponent = exponent(profile, keys);
    List<Popular> zipf = zipf(exponent, keys);
    double[] hot = hotspot(profile, keys);
    List<Popular> spot = hotspot(hot[0], hot[1], keys);
    Fit zipfFit = profile.fit(zipf, 1);
    Fit spotFit = profile.fit(spot, 2);
    // Akaike's criterion: a parameter has to be worth a unit of the logarithm of the likelihood.
    double ofEqual = profile.logLikelihood(equal);
    double ofZipf = profile.logLikelihood(zipf) - 1;
    double ofSpot = profile.logLikelihood(spot) - 2;
    List<String> evidence = new ArrayList<>();
    evidence.add(
        String.format(
            Locale.ROOT,
            "%,d accesses in %d windows of MONITOR, by how many of %,d keys were accessed how often",
            accesses.count(),
            accesses.windows(),
            keys));
    if (ofEqual >= Math.max(ofZipf, ofSpot)) {
      Fit fit = profile.fit(equal, 0);
      evidence.add(String.format(Locale.ROOT, "uniform: %s", fit));
      return new Skew(KeyChoice.of(Distribution.UNIFORM), fit.good(), evidence);
    }
    evidence.add(
        String.format(
            Locale.ROOT,
            "zipfian: exponent %.3f +- %.3f, %s; exponent by collisions %s, by distinct keys %s",
            exponent,
            deviation(profile, exponent, keys),
            zipfFit,
            solved(s -> collisions(zipf(s, keys)), accesses.far().share()),
            solved(s -> profile.expected(zipf(s, keys))[0], profile.unseen())));
    evidence.add(
        String.format(
            Locale.ROOT,
            "hotspot: %.3g of the keys have %.3g of the accesses, %s",
            hot[0],
            hot[1],
            spotFit));
    KeyChoice standard = KeyChoice.of(Distribution.HOTSPOT);
    return ofSpot > ofZipf
        ? new Skew(
            new KeyChoice(Distribution.HOTSPOT, standard.exponent(), hot[0], hot[1]),
            spotFit.good(),
            evidence)
        : new Skew(zipfian(Distribution.ZIPFIAN, exponent), zipfFit.good(), evidence);
  }

  /** Popularity that passes on to other keys. */
  private static Skew moving(
      Accesses accesses, long keys, boolean grows, Collisions near, Collisions far) {
    List<String> evidence = new ArrayList<>();
    evidence.add(
        String.format(
                Locale.ROOT,
                "%,d accesses in %d windows of MONITOR; what is popular moves: two accesses of a window are",
                accesses.count(),
                accesses.windows())
            + String.format(
                Locale.ROOT,
                " of the same key %.1f times as often as two of different windows",
                near.share() / far.share()));
    List<Newborn> newborns = accesses.newborns();
    if (newborns.size() >= LEAST_NEWBORNS) {
      double exponent = maximum(s -> ageLikelihood(accesses, s, keys));
      int[] reads = accesses.readsByMade();
      double share = (double) newborns.size() / Arrays.stream(reads).sum();
      double expected = newbornShare(reads, exponent, keys);
      double distance = ageDistance(newborns, exponent);
      evidence.add(
          String.format(
              Locale.ROOT,
              "latest: exponent %.3f by the age of %,d keys that were read after they were made;"
                  + " distance of the ages %.3f; %.3f of the reads were of such keys, expected %.3f",
              exponent,
              newborns.size(),
              distance,
              share,
              expected));
      if (distance < AGE_DISTANCE && Math.abs(share - expected) < NEWBORN_DISTANCE * expected) {
        return new Skew(zipfian(Distribution.LATEST, exponent), true, evidence);
      }
    }
    // Within a window what is popular hardly moves, unless many keys are made in it.
    int windows = accesses.windows();
    double many = (double) keys * windows;
    FrequencyProfile profile =
        new FrequencyProfile(accesses.countsByWindow(), many, (double) accesses.count() / windows);
    double exponent = maximum(s -> profile.logLikelihood(copies(zipf(s, keys), windows)));
    Fit fit = profile.fit(copies(zipf(exponent, keys), windows), 1);
    boolean latest = grows && newborns.size() < LEAST_NEWBORNS;
    evidence.add(
        String.format(
            Locale.ROOT,
            "%s: exponent %.3f by how often keys were accessed within a window, %s",
            latest ? "latest" : "zipfian that stays still",
            exponent,
            fit));
    return new Skew(
        zipfian(latest ? Distribution.LATEST : Distribution.ZIPFIAN, exponent),
        latest && fit.good(),
        evidence);
  }

  private static List<Popular> copies(List<Popular> model, int times) {
    return model.stream()
        .map(each -> new Popular(each.keys() * times, each.probability()))
        .toList();
  }

  private static KeyChoice zipfian(Distribution distribution, double exponent) {
    KeyChoice standard = KeyChoice.of(distribution);
    return new KeyChoice(distribution, exponent, standard.hotKeys(), standard.hotOperations());
  }

  private static double exponent(FrequencyProfile profile, long keys) {
    return maximum(s -> profile.logLikelihood(zipf(s, keys)));
  }

  /** Returns where the likelihood of an exponent is highest. */
  private static double maximum(DoubleUnaryOperator likelihood) {
    return new BrentOptimizer(1e-6, 1e-5)
        .optimize(
            new UnivariateObjectiveFunction(likelihood::applyAsDouble),
            GoalType.MAXIMIZE,
            new SearchInterval(LEAST_EXPONENT, MOST_EXPONENT, 0.9),
            new MaxEval(200))
        .getPoint();
  }

  /** Returns the standard deviation of the exponent, by the curvature of the likelihood. */
  private static double deviation(FrequencyProfile profile, double exponent, long keys) {
    double step = 0.01;
    double curvature =
        (profile.logLikelihood(zipf(exponent + step, keys))
                - 2 * profile.logLikelihood(zipf(exponent, keys))
                + profile.logLikelihood(zipf(exponent - step, keys)))
            / (step * step);
    return 1 / Math.sqrt(Math.max(1e-9, -curvature));
  }

  /** Returns the exponent at which a statistic is what was observed, as text. */
  private static String solved(DoubleUnaryOperator statistic, double observed) {
    DoubleUnaryOperator difference = s -> statistic.applyAsDouble(s) - observed;
    double low = difference.applyAsDouble(LEAST_EXPONENT);
    double high = difference.applyAsDouble(MOST_EXPONENT);
    return low * high > 0
        ? "none"
        : String.format(
            Locale.ROOT,
            "%.3f",
            new BrentSolver(1e-5)
                .solve(200, difference::applyAsDouble, LEAST_EXPONENT, MOST_EXPONENT));
  }

  private static double collisions(List<Popular> model) {
    return model.stream()
        .mapToDouble(each -> each.keys() * each.probability() * each.probability())
        .sum();
  }

  /** Returns the shares of the keys and of the accesses of the hot spot that fits best. */
  private static double[] hotspot(FrequencyProfile profile, long keys) {
    ObjectiveFunction likelihood =
        new ObjectiveFunction(
            point -> profile.logLikelihood(hotspot(logistic(point[0]), logistic(point[1]), keys)));
    PointValuePair best = null;
    for (double[] start : new double[][] {{-5, 1}, {-3, 1}, {-3, 3}, {-1.4, 1.4}, {0, 3}}) {
      PointValuePair found =
          new SimplexOptimizer(1e-9, 1e-6)
              .optimize(
                  likelihood,
                  GoalType.MAXIMIZE,
                  new InitialGuess(start),
                  new NelderMeadSimplex(2),
                  new MaxEval(2_000));
      best = best == null || found.getValue() > best.getValue() ? found : best;
    }
    double share = logistic(best.getPoint()[0]);
    double accesses = logistic(best.getPoint()[1]);
    // What is hot has more than its share.
    return accesses >= share
        ? new double[] {share, accesses}
        : new double[] {1 - share, 1 - accesses};
  }

  /** Maps all numbers to those of a share, which is neither none nor all. */
  private static double logistic(double x) {
    return Math.min(1 - 1e-9, Math.max(1e-9, 1 / (1 + Math.exp(-x))));
  }

  private static List<Popular> hotspot(double share, double accesses, long keys) {
    double hot = Math.max(1, share * keys);
    double cold = Math.max(1, keys - hot);
    return List.of(new Popular(hot, accesses / hot), new Popular(cold, (1 - accesses) / cold));
  }

  private static List<Popular> zipf(double exponent, long keys) {
    List<Popular> weights = new ArrayList<>();
    double sum = 0;
    for (double first = 1; first <= keys; ) {
      double end = first < EXACT_RANKS ? first + 1 : Math.floor(first * Math.pow(2, 1 / STEPS));
      end = Math.min(end, keys + 1.0);
      double weight =
          end == first + 1
              ? Math.pow(first, -exponent)
              : integral(first - 0.5, end - 0.5, exponent) / (end - first);
      weights.add(new Popular(end - first, weight));
      sum += weight * (end - first);
      first = end;
    }
    double total = sum;
    return weights.stream()
        .map(each -> new Popular(each.keys(), each.probability() / total))
        .toList();
  }

  /** Returns the integral of {@code x^-exponent}. */
  private static double integral(double from, double to, double exponent) {
    double power = 1 - exponent;
    return Math.abs(power) < 1e-9
        ? Math.log(to / from)
        : (Math.pow(to, power) - Math.pow(from, power)) / power;
  }

  /** Returns the sums of {@code rank^-exponent} over the first ranks: none, one, two and so on. */
  private static double[] sums(int ranks, double exponent) {
    double[] sums = new double[ranks + 1];
    for (int rank = 1; rank <= ranks; rank++) {
      sums[rank] = sums[rank - 1] + Math.pow(rank, -exponent);
    }
    return sums;
  }

  /** Returns the sum of {@code rank^-exponent} over all keys, of which some are added up. */
  private static double sum(double[] sums, double exponent, long keys) {
    return sums[sums.length - 1] + integral(sums.length - 0.5, keys + 0.5, exponent);
  }

  /** Of reads: of their ages, or that they are of none of the keys that were made. */
  private static double ageLikelihood(Accesses accesses, double exponent, long keys) {
    int[] reads = accesses.readsByMade();
    double[] sums = sums(reads.length, exponent);
    double all = sum(sums, exponent, keys);
    double likelihood = 0;
    for (Newborn read : accesses.newborns()) {
      reads[read.made()]--;
      likelihood -= exponent * Math.log(read.age() + 1.0) + Math.log(all);
    }
    for (int made = 1; made < reads.length; made++) {
      likelihood += reads[made] * Math.log1p(-sums[made] / all);
    }
    return likelihood;
  }

  /** Kolmogorov's distance between the ages and a model of them. */
  private static double ageDistance(List<Newborn> newborns, double exponent) {
    int most = newborns.stream().mapToInt(Newborn::made).max().orElse(0);
    double[] sums = sums(most, exponent);
    SplittableRandom random = new SplittableRandom(1);
    double[] places =
        newborns.stream()
            .mapToDouble(
                read -> {
                  double below = sums[read.age()];
                  double own = random.nextDouble() * (sums[read.age() + 1] - below);
                  return (below + own) / sums[read.made()];
                })
            .toArray();
    return new KolmogorovSmirnovTest()
        .kolmogorovSmirnovStatistic(new UniformRealDistribution(null, 0, 1), places);
  }

  /** Returns which share of the reads a model expects to be of keys made in the same window. */
  private static double newbornShare(int[] readsByMade, double exponent, long keys) {
    double[] sums = sums(readsByMade.length, exponent);
    double expected = 0;
    double reads = 0;
    for (int made = 0; made < readsByMade.length; made++) {
      expected += readsByMade[made] * sums[made];
      reads += readsByMade[made];
    }
    return expected / (reads * sum(sums, exponent, keys));
  }
}
