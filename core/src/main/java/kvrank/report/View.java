package kvrank.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.table.Dimensions;
import kvrank.table.Filter;
import kvrank.table.Filter.Choice;

/**
 * The part of the results that a table, a row or a cell is about.
 *
 * @param groups phases as wholes and their operations, each phase before its operations
 * @param engines in the order of the scenario
 */
record View(RankingIndex index, List<Group> groups, List<String> engines) {

  /** Returns all of the results. */
  static View of(RankingIndex index) {
    List<Group> groups = new ArrayList<>();
    for (List<Group> wholes : index.wholesByPoint()) {
      for (Group whole : wholes) {
        groups.add(whole);
        groups.addAll(index.operations(whole));
      }
    }
    return new View(index, groups, index.engines());
  }

  /** Returns one view for each combination of values of {@code dimensions}, the first outermost. */
  List<View> split(Iterable<String> dimensions) {
    List<View> result = List.of(this);
    for (String dimension : dimensions) {
      result = result.stream().flatMap(view -> view.split(dimension)).toList();
    }
    return result;
  }

  /** An operation is one of a phase. */
  private Stream<View> split(String dimension) {
    return dimension.equals(Dimensions.OPERATION) && values(Dimensions.PHASE).size() > 1
        ? split(Dimensions.PHASE).flatMap(phase -> phase.split(dimension))
        : values(dimension).stream().map(value -> where(dimension, List.of(value)));
  }

  /** Returns what {@code filter} leaves; places are counted in what its other choices leave. */
  View where(Filter filter) {
    View left = this;
    for (boolean positional : new boolean[] {false, true}) {
      for (Map.Entry<String, Choice> each : filter.choices().entrySet()) {
        if (each.getValue().positional() == positional) {
          left = left.where(each.getKey(), each.getValue().of(left.values(each.getKey())));
        }
      }
    }
    return left;
  }

  private View where(String dimension, List<String> values) {
    return dimension.equals(Dimensions.ENGINE)
        ? of(values)
        : new View(
            index,
            groups.stream()
                .filter(group -> value(group, dimension).filter(values::contains).isPresent())
                .toList(),
            engines);
  }

  /** Returns the same of {@code some} engines. */
  View of(List<String> some) {
    return new View(index, groups, some);
  }

  /** Returns what is in both. */
  View and(View other) {
    Set<Group> same = Collections.newSetFromMap(new IdentityHashMap<>());
    same.addAll(other.groups);
    return new View(
        index,
        groups.stream().filter(same::contains).toList(),
        engines.stream().filter(other.engines::contains).toList());
  }

  private List<String> values(String dimension) {
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
      case Dimensions.LOAD -> Optional.of(Boolean.toString(index.load(group)));
      default -> Optional.of(group.factors().getOrDefault(dimension, ""));
    };
  }
}
