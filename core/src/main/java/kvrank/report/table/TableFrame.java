package kvrank.report.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.table.CellSpec;
import kvrank.table.Dimensions;
import kvrank.table.TableSpec;
import kvrank.table.Template;

/**
 * The settings that apply in a table: its own, and those of enclosing tables.
 *
 * @param values the cells that templates name
 * @param bound the dimensions that have a value, and that a title need not repeat
 */
public record TableFrame(
    CellSpec cell,
    Map<String, CellSpec> values,
    Map<String, Map<String, String>> rename,
    Set<String> bound,
    Ties ties,
    int level) {

  /** The legend of the marks for values without a verdict. */
  private static final String LEGEND =
      "Values are geometric means of the repetitions. \"equal\": within 10 %; \"open\": the data"
          + " cannot separate them; \"?\": by value only, with fewer than 3 repetitions.";

  /** The level of the heading of an outermost table. */
  static final int TOP = 2;

  /** How an index writes engines that may have the same rank. */
  public enum Ties {
    /** In one cell, at the best possible rank: {@code redis, ignix (1–2)}. */
    TOGETHER("\"a, b (1–3)\": each may have any of these ranks."),
    /** Each in a row of its own, which is narrower: {@code ~ redis}, then {@code ~ ignix}. */
    BELOW("\"~\": the data do not determine the rank.");

    private final String legend;

    Ties(String legend) {
      this.legend = legend;
    }
  }

  static TableFrame of(Ties ties) {
    return new TableFrame(CellSpec.OPEN, Map.of(), Map.of(), Set.of(), ties, TOP);
  }

  /**
   * Returns the frame of {@code spec}, a table within this one, whose headings are {@code deeper}
   * by this number of levels.
   */
  TableFrame in(TableSpec spec, int deeper) {
    Map<String, CellSpec> allValues = new HashMap<>(values);
    allValues.putAll(spec.values());
    Map<String, Map<String, String>> words = new HashMap<>(rename);
    words.putAll(spec.rename());
    Set<String> given = new TreeSet<>(bound);
    given.addAll(spec.bound());
    return new TableFrame(spec.cell().or(cell), allValues, words, given, ties, level + deeper);
  }

  /** Returns {@code template} with the values of {@code slice}. */
  String text(String template, ResultSlice slice) {
    return text(template, slice, cell);
  }

  /** Returns the same, with {@code {to}} of the cell {@code of}. */
  String text(String template, ResultSlice slice, CellSpec of) {
    return Template.fill(template, Quantities.NONE, name -> value(name, slice, of));
  }

  /** Returns whether {@code template} names no cells, or one of them has a value. */
  boolean hasValues(String template, ResultSlice slice) {
    List<String> cells =
        Template.placeholders(template).stream()
            .map(Template.Placeholder::name)
            .filter(values::containsKey)
            .toList();
    return cells.isEmpty() || cells.stream().anyMatch(name -> value(name, slice, cell).isPresent());
  }

  private Optional<String> value(String name, ResultSlice slice, CellSpec of) {
    if (values.containsKey(name)) {
      CellSpec spec = values.get(name).or(cell);
      String text = RankingCell.text(spec, slice.where(spec.where()));
      return text.equals(Quantities.NONE) ? Optional.empty() : Optional.of(text);
    }
    return switch (name) {
      case "at" -> Optional.of(at(slice));
      case "legend" -> Optional.of(LEGEND);
      case "ties" -> Optional.of(ties.legend);
      case "to" -> Optional.of(RankingCell.to(of.or(cell), slice)).filter(to -> !to.isEmpty());
      case "phase-operation" -> phaseOperation(slice);
      case Dimensions.PHASE, Dimensions.OPERATION, Dimensions.ENGINE -> renamed(name, slice);
      default -> slice.only(name).filter(value -> !value.isEmpty()).map(TableFrame::grouped);
    };
  }

  /** Returns the table's word for an engine. */
  String name(String engine) {
    return rename.getOrDefault(Dimensions.ENGINE, Map.of()).getOrDefault(engine, engine);
  }

  private Optional<String> renamed(String dimension, ResultSlice slice) {
    Map<String, String> words = rename.getOrDefault(dimension, Map.of());
    return slice.only(dimension).map(value -> words.getOrDefault(value, value));
  }

  private static String grouped(String value) {
    return value.matches("[0-9]{1,15}")
        ? Quantities.of(Unit.COUNT, Double.parseDouble(value))
        : value;
  }

  /** Returns the phase, with the operation if there are several. */
  private Optional<String> phaseOperation(ResultSlice slice) {
    String operation =
        renamed(Dimensions.OPERATION, slice)
            .filter(any -> slice.index().operations(slice.groups().get(0)).size() > 1)
            .map(" "::concat)
            .orElse("");
    return renamed(Dimensions.PHASE, slice).map(phase -> phase + operation);
  }

  /** Returns durability and varying factors, without those that enclosing titles contain. */
  private String at(ResultSlice slice) {
    if (slice.groups().isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>(List.of(slice.groups().get(0).point().split(", ", -1)));
    parts.removeIf(part -> part.isEmpty() || bound.contains(part.split("=", -1)[0]));
    String of =
        bound.contains(Dimensions.PHASE)
            ? ""
            : phaseOperation(slice).map(" of "::concat).orElse("");
    return of + (parts.isEmpty() ? "" : " at " + String.join(", ", parts));
  }
}
