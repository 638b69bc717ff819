package kvrank.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kvrank.stats.Group;
import kvrank.table.Dimensions;
import kvrank.table.Filter;
import kvrank.table.Filter.Choice;

/**
 * The part of the results that a table, a row or a cell is about.
 *
 * @param groups phases as wholes and their operations, each phase before its operations
 * @param engines in the order of the scenario
 * @param loads the names of the phases that are a load
 */
record View(List<Group> groups, List<String> engines, Set<String> loads) {

  View {
    groups = List.copyOf(groups);
    engines = List.copyOf(engines);
    loads = Set.copyOf(loads);
  }

  /** Returns one view for each value of {@code dimension}, in order. */
  List<View> split(String dimension) {
    if (dimension.equals(Dimensions.ENGINE)) {
      return engines.stream().map(engine -> new View(groups, List.of(engine), loads)).toList();
    }
    Map<String, List<Group>> parts = new LinkedHashMap<>();
    for (Group group : groups) {
      value(group, dimension)
          .map(
              value -> dimension.equals(Dimensions.OPERATION) ? group.phase() + " " + value : value)
          .ifPresent(key -> parts.computeIfAbsent(key, any -> new ArrayList<>()).add(group));
    }
    return parts.values().stream().map(this::of).toList();
  }

  /** Returns one view for each combination of values of {@code dimensions}, the first outermost. */
  static List<View> split(List<View> views, Iterable<String> dimensions) {
    List<View> result = views;
    for (String dimension : dimensions) {
      result = result.stream().flatMap(view -> view.split(dimension).stream()).toList();
    }
    return result;
  }

  private View of(List<Group> some) {
    return new View(some, engines, loads);
  }

  /** Returns what {@code filter} leaves; places are counted in what its other choices leave. */
  View where(Filter filter) {
    View left = this;
    for (boolean positional : new boolean[] {false, true}) {
      for (Map.Entry<String, Choice> each : filter.choices().entrySet()) {
        if (each.getValue().positional() == positional) {
          left = left.where(each.getKey(), each.getValue());
        }
      }
    }
    return left;
  }

  private View where(String dimension, Choice choice) {
    if (dimension.equals(Dimensions.ENGINE)) {
      return new View(groups, choice.of(engines), loads);
    }
    List<String> chosen = choice.of(values(dimension));
    return of(
        groups.stream()
            .filter(group -> value(group, dimension).filter(chosen::contains).isPresent())
            .toList());
  }

  /** Returns what is in both. */
  View and(View other) {
    Set<Group> same = Collections.newSetFromMap(new IdentityHashMap<>());
    same.addAll(other.groups);
    return new View(
        groups.stream().filter(same::contains).toList(),
        engines.stream().filter(other.engines::contains).toList(),
        loads);
  }

  /** Returns the different values of {@code dimension}, in order. */
  List<String> values(String dimension) {
    return dimension.equals(Dimensions.ENGINE)
        ? engines
        : groups.stream().flatMap(group -> value(group, dimension).stream()).distinct().toList();
  }

  /** Returns the only value of {@code dimension}; empty if there are several. */
  Optional<String> only(String dimension) {
    List<String> values = values(dimension);
    return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
  }

  /** A factor that a group does not have is an empty text. */
  private Optional<String> value(Group group, String dimension) {
    return switch (dimension) {
      case Dimensions.PHASE -> Optional.of(group.phase());
      case Dimensions.OPERATION -> group.operation();
      case Dimensions.LOAD -> Optional.of(Boolean.toString(loads.contains(group.phase())));
      default -> Optional.of(group.factors().getOrDefault(dimension, ""));
    };
  }
}
