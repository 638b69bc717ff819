package kvrank.report.ranking;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import kvrank.stats.Group;

/** Short names of some comparison groups among others: their phases and values of factors. */
public final class Places {

  private static final String PHASE = "phase";

  /** The most values of a factor, and the most parts, that are listed. */
  private static final int MOST = 6;

  private final int all;
  private final Map<String, List<String>> values;

  public Places(List<Group> all) {
    this.all = distinct(all).size();
    this.values = values(all);
    values.values().removeIf(distinct -> distinct.size() == 1);
  }

  /**
   * Returns for example {@code get and set at threads=1 and 2}: what distinguishes {@code some}; of
   * all groups, everything in which they differ.
   */
  public String of(Collection<Group> some) {
    return String.join(", ", Labels.first(parts(distinct(some)), MOST))
        .replaceAll("(^|, )(in|at) ", "$1");
  }

  /** Returns the same for a sentence, for example {@code " at threads=1 and 2"}. */
  public String in(Collection<Group> some) {
    List<String> parts = parts(distinct(some));
    return parts.isEmpty()
        ? ""
        : " "
            + (parts.size() > MOST
                ? String.join(", ", Labels.first(parts, MOST))
                : Labels.joined(parts));
  }

  /** Returns one group of each place, which operations of a phase share. */
  private static Collection<Group> distinct(Collection<Group> some) {
    Map<Map<String, String>, Group> distinct = new LinkedHashMap<>();
    some.forEach(group -> distinct.putIfAbsent(coordinates(group), group));
    return distinct.values();
  }

  private List<String> parts(Collection<Group> some) {
    Map<String, List<String>> own = values(some);
    own.keySet().retainAll(values.keySet());
    long combinations = own.values().stream().mapToLong(List::size).reduce(1, (a, b) -> a * b);
    if (combinations != some.size()) {
      return split(some).stream().flatMap(each -> parts(each).stream()).toList();
    }
    if (some.size() < all) {
      own.keySet().removeIf(factor -> own.get(factor).equals(values.get(factor)));
    }
    List<String> phases = own.remove(PHASE);
    List<String> factors = new ArrayList<>();
    own.forEach((factor, listed) -> factors.add(factor + "=" + listed(listed, values.get(factor))));
    String in = phases == null ? "" : "in " + listed(phases, List.of());
    String at = factors.isEmpty() ? "" : "at " + String.join(" with ", factors);
    String part = in + (in.isEmpty() || at.isEmpty() ? "" : " ") + at;
    return part.isEmpty() ? List.of() : List.of(part);
  }

  /** Splits groups that are not every combination, by the first factor that separates them. */
  private Collection<List<Group>> split(Collection<Group> some) {
    for (String name : values.keySet()) {
      Map<List<Map<String, String>>, List<Group>> same = new LinkedHashMap<>();
      for (List<Group> each : by(group -> coordinates(group).get(name), some)) {
        List<Map<String, String>> others = each.stream().map(Places::coordinates).toList();
        others.forEach(point -> point.remove(name));
        same.computeIfAbsent(others, any -> new ArrayList<>()).addAll(each);
      }
      if (same.size() > 1) {
        return same.values();
      }
    }
    return by(Places::coordinates, some);
  }

  private static Collection<List<Group>> by(Function<Group, ?> key, Collection<Group> groups) {
    return groups.stream().collect(groupingBy(key, LinkedHashMap::new, toList())).values();
  }

  /** Returns for example {@code 1, 2 and 4}, or {@code 3 to 13} of consecutive {@code all}. */
  private static String listed(List<String> some, List<String> all) {
    int first = all.indexOf(some.get(0));
    if (some.size() <= MOST) {
      return Labels.joined(some);
    }
    boolean consecutive = first >= 0 && all.subList(first, all.size()).containsAll(some);
    return consecutive && all.indexOf(some.get(some.size() - 1)) == first + some.size() - 1
        ? some.get(0) + " to " + some.get(some.size() - 1)
        : String.join(", ", Labels.first(some, MOST));
  }

  /** Returns the values by phase, level of fsync and factor, each in order. */
  private static Map<String, List<String>> values(Collection<Group> groups) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (Group group : groups) {
      coordinates(group)
          .forEach(
              (name, value) -> {
                List<String> distinct = values.computeIfAbsent(name, any -> new ArrayList<>());
                if (!distinct.contains(value)) {
                  distinct.add(value);
                }
              });
    }
    return values;
  }

  private static Map<String, String> coordinates(Group group) {
    Map<String, String> coordinates = new LinkedHashMap<>();
    coordinates.put(PHASE, group.phase());
    coordinates.put(Group.FSYNC, group.fsync());
    group.varying().stream()
        .filter(factor -> !factor.equals(Group.FSYNC))
        .forEach(factor -> coordinates.put(factor, group.factors().getOrDefault(factor, "-")));
    return coordinates;
  }
}
