package kvrank.scenario;

import java.util.Collection;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A set of CPUs by their numbers, written as Linux writes it: {@code 0-3,8}. */
public record CpuList(NavigableSet<Integer> numbers) {

  private static final Pattern FORM =
      Pattern.compile("\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*");

  public CpuList {
    numbers = Collections.unmodifiableNavigableSet(new TreeSet<>(numbers));
  }

  /** Returns the parsed list; empty if {@code text} is not one. */
  public static Optional<CpuList> parse(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    NavigableSet<Integer> numbers = new TreeSet<>();
    for (String range : text.split(",", -1)) {
      String[] ends = range.split("-", -1);
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      if (last < first) {
        return Optional.empty();
      }
      IntStream.rangeClosed(first, last).forEach(numbers::add);
    }
    return Optional.of(new CpuList(numbers));
  }

  public CpuList and(CpuList other) {
    NavigableSet<Integer> union = new TreeSet<>(numbers);
    union.addAll(other.numbers);
    return new CpuList(union);
  }

  public CpuList without(Collection<Integer> others) {
    NavigableSet<Integer> difference = new TreeSet<>(numbers);
    difference.removeAll(others);
    return new CpuList(difference);
  }

  /** Returns the list in the form that {@code taskset} and Docker accept. */
  public String label() {
    StringJoiner label = new StringJoiner(",");
    for (Integer first : numbers) {
      if (!numbers.contains(first - 1)) {
        int last = first;
        while (numbers.contains(last + 1)) {
          last++;
        }
        label.add(last == first ? Integer.toString(first) : first + "-" + last);
      }
    }
    return label.toString();
  }
}
