package kvrank.results.pack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The figures of a record that its raw files contradict, a sentence each, and those that these
 * files cannot show.
 */
final class Contradictions {

  /** How much a figure may differ that was rounded, or that a histogram has to three digits. */
  private static final double TOLERANCE = 0.002;

  private final List<String> found = new ArrayList<>();
  private final SortedSet<String> unchecked = new TreeSet<>();

  List<String> found() {
    return found;
  }

  /** Returns the kinds of figures that no file can show. */
  SortedSet<String> unchecked() {
    return unchecked;
  }

  void leaveOut(String kind) {
    unchecked.add(kind);
  }

  void addAll(Contradictions others) {
    found.addAll(others.found);
    unchecked.addAll(others.unchecked);
  }

  void add(String sentence) {
    found.add(sentence);
  }

  /** Requires the number that {@code source} has. */
  void same(String figure, Number stated, Number raw, String source) {
    within(figure, stated, raw, raw, 0, source);
  }

  /** Requires the number that {@code source} has, to 0.2 % and {@code slack}. */
  void near(String figure, Number stated, Number raw, double slack, String source) {
    within(figure, stated, raw, raw, slack + TOLERANCE * Math.abs(raw.doubleValue()), source);
  }

  /** Requires a number in the range that {@code source} has, to 0.2 % and {@code slack}. */
  void between(
      String figure, Number stated, Number least, Number most, double slack, String source) {
    double tolerance = slack + TOLERANCE * Math.abs(most.doubleValue());
    within(figure, stated, least, most, tolerance, source);
  }

  /** Requires at most the number that {@code source} has, to 0.2 % and {@code slack}. */
  void atMost(String figure, Number stated, Number most, double slack, String source) {
    double bound = most.doubleValue();
    if (!(stated.doubleValue() <= bound + slack + TOLERANCE * Math.abs(bound))) {
      add(
          "%s is %s, but %s has at most %s"
              .formatted(figure, number(stated), source, number(most)));
    }
  }

  private void within(
      String figure, Number stated, Number least, Number most, double slack, String source) {
    double figured = stated.doubleValue();
    if (!(figured >= least.doubleValue() - slack && figured <= most.doubleValue() + slack)) {
      boolean one = least.doubleValue() == most.doubleValue();
      String range = one ? number(most) : number(least) + " to " + number(most);
      add("%s is %s, but %s has %s".formatted(figure, number(stated), source, range));
    }
  }

  private static String number(Number exact) {
    double number = exact.doubleValue();
    return String.format(Locale.ROOT, number == Math.rint(number) ? "%,.0f" : "%,.3f", number);
  }
}
