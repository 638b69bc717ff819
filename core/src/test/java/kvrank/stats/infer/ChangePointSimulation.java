package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Histories of executions whose changes are known. */
public final class ChangePointSimulation {

  /** Returns the places of the changes of each line. */
  @FunctionalInterface
  public interface Method {
    List<List<Integer>> of(List<double[]> history);
  }

  public static final Method KVRANK =
      history ->
          ChangePoints.of(history).stream()
              .map(line -> line.stream().map(ChangePoints.Change::at).toList())
              .toList();

  private ChangePointSimulation() {}

  /** Returns E-divisive, with draws of its own. */
  public static Method energyDivisive(SplittableRandom random) {
    return history -> EnergyDivisive.of(history, random);
  }

  /**
   * The noise of an execution's mean of five repetitions.
   *
   * @param repetition the standard deviation of a repetition
   * @param execution the same of executions, in each line for itself
   * @param shared the same in all lines together
   * @param outliers the share of executions that are slower by 20 %
   * @param memory how much of the shared noise stays until the next execution
   */
  public record Noise(
      double repetition, double execution, double shared, double outliers, double memory) {

    public static Noise of(double repetition, double execution) {
      return new Noise(repetition, execution, 0, 0, 0);
    }

    /** Draws a history of {@code lines} without a change. */
    public List<double[]> draw(int lines, int executions, SplittableRandom random) {
      List<double[]> history = new ArrayList<>();
      for (int line = 0; line < lines; line++) {
        history.add(new double[executions]);
      }
      double carried = random.nextGaussian() * shared;
      double own = Math.sqrt(repetition * repetition / 5 + execution * execution);
      for (int i = 0; i < executions; i++) {
        carried =
            memory * carried + Math.sqrt(1 - memory * memory) * shared * random.nextGaussian();
        double slow = random.nextDouble() < outliers ? Math.log(0.8) : 0;
        for (double[] line : history) {
          line[i] = 10 + carried + slow + own * random.nextGaussian();
        }
      }
      return history;
    }
  }

  /** Returns the share of histories without a change in which one is found. */
  public static double falseAlarms(
      Noise noise, int lines, int executions, int histories, SplittableRandom random) {
    return falseAlarms(KVRANK, noise, lines, executions, histories, random);
  }

  /** Returns the same for another method. */
  public static double falseAlarms(
      Method method,
      Noise noise,
      int lines,
      int executions,
      int histories,
      SplittableRandom random) {
    int alarms = 0;
    for (int i = 0; i < histories; i++) {
      alarms += any(method.of(noise.draw(lines, executions, random))) ? 1 : 0;
    }
    return (double) alarms / histories;
  }

  /** Returns the same if each history is tested after every execution. */
  public static double falseAlarmsOfLooks(
      Noise noise, int lines, int executions, int histories, SplittableRandom random) {
    int alarms = 0;
    for (int i = 0; i < histories; i++) {
      List<double[]> history = noise.draw(lines, executions, random);
      boolean alarm = false;
      for (int n = 2; n <= executions && !alarm; n++) {
        alarm = any(KVRANK.of(first(history, n)));
      }
      alarms += alarm ? 1 : 0;
    }
    return (double) alarms / histories;
  }

  /**
   * What was found of a change of the first line.
   *
   * @param near within three executions of the truth
   * @param exact whose interval of places contains the truth
   * @param covered whose interval of sizes contains the truth, as a share of those found near
   * @param more in which another change was found, too
   */
  public record Found(double near, double exact, double covered, double more) {}

  /** Returns the share of changes by {@code factor} at a random execution that are found. */
  public static Found found(
      Noise noise,
      double factor,
      int lines,
      int executions,
      int histories,
      SplittableRandom random) {
    int near = 0;
    int exact = 0;
    int covered = 0;
    int more = 0;
    for (int i = 0; i < histories; i++) {
      int place = random.nextInt(executions / 10, executions - executions / 10);
      List<double[]> history = noise.draw(lines, executions, random);
      change(history.get(0), place, executions, factor);
      List<List<ChangePoints.Change>> changes = ChangePoints.of(history);
      List<ChangePoints.Change> hits =
          changes.get(0).stream().filter(change -> Math.abs(change.at() - place) <= 3).toList();
      if (!hits.isEmpty()) {
        near++;
        ChangePoints.Change hit = hits.get(0);
        Ratio ratio = hit.size().ratio(1 - Estimate.CONFIDENCE);
        exact += hit.first() <= place && place <= hit.last() ? 1 : 0;
        covered += ratio.low() <= factor && factor <= ratio.high() ? 1 : 0;
      }
      int all = changes.stream().mapToInt(List::size).sum();
      more += all > Math.min(1, hits.size()) ? 1 : 0;
    }
    return new Found(
        (double) near / histories,
        (double) exact / near,
        (double) covered / near,
        (double) more / histories);
  }

  /** Returns the share of changes that are found when {@code later} executions have them. */
  public static double foundAfter(
      Method method,
      Noise noise,
      double factor,
      int later,
      int executions,
      int histories,
      SplittableRandom random) {
    return foundIn(
        method,
        1,
        noise,
        factor,
        executions,
        histories,
        random,
        any -> new int[] {executions - later, executions});
  }

  /** Returns the share of changes found that are undone after {@code length} executions. */
  public static double foundUndone(
      Method method,
      Noise noise,
      double factor,
      int length,
      int executions,
      int histories,
      SplittableRandom random) {
    return foundIn(
        method,
        1,
        noise,
        factor,
        executions,
        histories,
        random,
        any -> {
          int from = random.nextInt(10, executions - length - 10);
          return new int[] {from, from + length};
        });
  }

  /** Returns the share of changes of the first of {@code lines} that a method finds. */
  public static double near(
      Method method,
      Noise noise,
      double factor,
      int lines,
      int executions,
      int histories,
      SplittableRandom random) {
    return foundIn(
        method,
        lines,
        noise,
        factor,
        executions,
        histories,
        random,
        any ->
            new int[] {random.nextInt(executions / 10, executions - executions / 10), executions});
  }

  private static double foundIn(
      Method method,
      int lines,
      Noise noise,
      double factor,
      int executions,
      int histories,
      SplittableRandom random,
      IntFunction<int[]> places) {
    int found = 0;
    for (int i = 0; i < histories; i++) {
      List<double[]> history = noise.draw(lines, executions, random);
      int[] place = places.apply(i);
      change(history.get(0), place[0], place[1], factor);
      found +=
          method.of(history).get(0).stream().anyMatch(at -> Math.abs(at - place[0]) <= 3) ? 1 : 0;
    }
    return (double) found / histories;
  }

  private static void change(double[] line, int from, int to, double factor) {
    for (int i = from; i < to; i++) {
      line[i] += Math.log(factor);
    }
  }

  private static boolean any(List<List<Integer>> changes) {
    return changes.stream().anyMatch(line -> !line.isEmpty());
  }

  private static List<double[]> first(List<double[]> history, int n) {
    return history.stream().map(line -> Arrays.copyOf(line, n)).toList();
  }
}
