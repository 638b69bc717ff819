package kvrank.report.table;

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
 * The part of the results that a table, a row or a cell covers.
 *
 * @param groups the groups of phases and of their operations, each phase before its operations
 * @param engines in the order of the scenario
 * @param given the dimensions with a value here; an engine's name leaves these options out
 */
record ResultSlice(
    RankingIndex index, List<Group> groups, List<String> engines, Set<String> given) {

  static ResultSlice of(RankingIndex index) {
    List<Group> groups = new ArrayList<>();
    for (List<Group> phaseGroups : index.phaseGroupsByPoint()) {
      for (Group phaseGroup : phaseGroups) {
        groups.add(phaseGroup);
        groups.addAll(index.operations(phaseGroup));
      }
    }
    return new ResultSlice(index, groups, index.engines(), Set.of());
  }

  /** Returns one slice per combination of values of {@code dimensions}, the first outermost. */
  List<ResultSlice> split(Iterable<String> dimensions) {
    List<ResultSlice> result = List.of(this);
    for (String dimension : dimensions) {
      result = result.stream().flatMap(slice -> slice.split(dimension)).toList();
    }
    return result;
  }

  /** Operations are split by phase first. */
  private Stream<ResultSlice> split(String dimension) {
    return dimension.equals(Dimensions.OPERATION) && values(Dimensions.PHASE).size() > 1
        ? split(Dimensions.PHASE).flatMap(phase -> phase.split(dimension))
        : values(dimension).stream().map(value -> where(dimension, List.of(value)));
  }

  /**
   * Returns the part that {@code filter} selects; positions count in the result of its other
   * choices.
   */
  ResultSlice where(Filter filter) {
    ResultSlice left = this;
    for (boolean positional : new boolean[] {false, true}) {
      for (Map.Entry<String, Choice> each : filter.choices().entrySet()) {
        if (each.getValue().positional() == positional) {
          left = left.where(each.getKey(), each.getValue());
        }
      }
    }
    return left;
  }

  /** Selects engines by row, or by name, which several rows may share. */
  private ResultSlice where(String dimension, Choice choice) {
    if (!dimension.equals(Dimensions.ENGINE) || choice.positional()) {
      return where(dimension, choice.of(values(dimension)));
    }
    return of(
        engines.stream()
            .filter(
                engine ->
                    Stream.of(engine, name(engine), without(engine, index.options(engine).keySet()))
                            .anyMatch(choice.values()::contains)
                        != choice.negated())
            .toList());
  }

  private ResultSlice where(String dimension, List<String> values) {
    if (dimension.equals(Dimensions.ENGINE)) {
      return of(engines.stream().filter(engine -> values.contains(name(engine))).toList());
    }
    if (dimension.startsWith(Dimensions.OPTIONS)) {
      return of(
          engines.stream()
              .filter(engine -> option(engine, dimension).map(values::contains).orElse(true))
              .toList());
    }
    return new ResultSlice(
        index,
        groups.stream()
            .filter(group -> value(group, dimension).filter(values::contains).isPresent())
            .toList(),
        engines,
        given);
  }

  private ResultSlice of(List<String> some) {
    return new ResultSlice(index, groups, some, given);
  }

  /** Returns the same slice, in which {@code dimensions} have a value. */
  ResultSlice given(Set<String> dimensions) {
    return new ResultSlice(index, groups, engines, dimensions);
  }

  /** Returns the only engine of the slice; empty if there are several. */
  Optional<String> engine() {
    return engines.size() == 1 ? Optional.of(engines.get(0)) : Optional.empty();
  }

  /**
   * Returns the engine of all with this label or position, or the only one with this name; empty if
   * there is none.
   */
  Optional<String> engine(String name) {
    Choice choice = new Choice(List.of(name), false);
    ResultSlice all = new ResultSlice(index, List.of(), index.engines(), Set.of());
    return choice.of(all.engines).stream()
        .findFirst()
        .or(() -> all.where(Dimensions.ENGINE, choice).engine());
  }

  /** Returns the engine's name in this slice. */
  String name(String engine) {
    return without(
        engine,
        given.stream()
            .filter(each -> each.startsWith(Dimensions.OPTIONS))
            .map(each -> each.substring(Dimensions.OPTIONS.length()))
            .toList());
  }

  private String without(String engine, Iterable<String> options) {
    String name = engine;
    for (String option : options) {
      name = name.replace(" " + option + "=" + index.options(engine).get(option), "");
    }
    return name;
  }

  /** Returns the value of an option; empty if the engine does not have it. */
  private Optional<String> option(String engine, String dimension) {
    String name = dimension.substring(Dimensions.OPTIONS.length());
    return Optional.ofNullable(index.options(engine).get(name));
  }

  ResultSlice and(ResultSlice other) {
    Set<Group> same = Collections.newSetFromMap(new IdentityHashMap<>());
    same.addAll(other.groups);
    return new ResultSlice(
        index,
        groups.stream().filter(same::contains).toList(),
        engines.stream().filter(other.engines::contains).toList(),
        given);
  }

  List<String> values(String dimension) {
    if (dimension.equals(Dimensions.ENGINE)) {
      return engines.stream().map(this::name).distinct().toList();
    }
    return dimension.startsWith(Dimensions.OPTIONS)
        ? engines.stream().flatMap(each -> option(each, dimension).stream()).distinct().toList()
        : groups.stream().flatMap(group -> value(group, dimension).stream()).distinct().toList();
  }

  /** Returns the only value of {@code dimension}; empty if there are several. */
  Optional<String> only(String dimension) {
    List<String> values = values(dimension);
    return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
  }

  /** Returns the value of a dimension; empty text for a factor that the group does not have. */
  private Optional<String> value(Group group, String dimension) {
    return switch (dimension) {
      case Dimensions.PHASE -> Optional.of(group.phase());
      case Dimensions.OPERATION -> group.operation();
      case Dimensions.LOAD -> Optional.of(Boolean.toString(index.load(group)));
      default -> Optional.of(group.factors().getOrDefault(dimension, ""));
    };
  }
}
