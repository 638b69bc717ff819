package kvrank.scenario;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value in a YAML file. What is asked of it and is not so becomes a problem at its place, and the
 * answer is empty.
 *
 * <p>Scalars are read as written, so {@code on}, {@code off}, {@code yes} and {@code no} are not
 * the booleans that YAML 1.1 takes them for.
 */
final class YamlValue {

  private static final Pattern QUANTITY = Pattern.compile("(.*?[0-9_]) ?([kMGT]|[KMG]i|)");

  /** The prefixes of the SI and of IEC 80000-13. */
  private static final Map<String, Long> PREFIXES =
      Map.of(
          "",
          1L,
          "k",
          1_000L,
          "M",
          1_000_000L,
          "G",
          1_000_000_000L,
          "T",
          1_000_000_000_000L,
          "Ki",
          1L << 10,
          "Mi",
          1L << 20,
          "Gi",
          1L << 30);

  private final Node node;
  private final SourceLocation place;
  private final String form;

  /**
   * @param form the path with {@code []} for any item and {@code *} for any key
   */
  YamlValue(Node node, SourceLocation place, String form) {
    this.node = node;
    this.place = place;
    this.form = form;
  }

  SourceLocation place() {
    return place;
  }

  /** Reports a problem with this value. */
  void report(String message) {
    place.report(message);
  }

  /** Returns {@code text}, a part of this value, as a value of its own at the same place. */
  YamlValue with(String text) {
    return new YamlValue(Overrides.scalar(text), place, form);
  }

  /** Returns whether it is an empty text. */
  boolean isBlank() {
    return node instanceof ScalarNode scalar && !isNothing() && scalar.getValue().isBlank();
  }

  boolean isMap() {
    return node instanceof MappingNode;
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }

  /** Returns the text as written; may be empty only if it is quoted. */
  Optional<String> text() {
    if (node instanceof ScalarNode scalar && !isNothing()) {
      return Optional.of(scalar.getValue());
    }
    report(
        isNothing()
            ? "has no value; an empty text is written \"\""
            : "expected one value but found " + found());
    return Optional.empty();
  }

  /** Returns a text that is not blank, in one line. */
  Optional<String> sentence() {
    Optional<String> sentence = text().map(String::strip);
    if (sentence.isPresent() && sentence.get().isEmpty()) {
      report("is empty; say it in a sentence");
      return Optional.empty();
    }
    return sentence.map(text -> text.replaceAll("\\s*\\R\\s*", " "));
  }

  /** Returns a text that can be part of a file's name. */
  Optional<String> name() {
    return text().filter(name -> isName(name, place));
  }

  /**
   * Returns whether {@code name} can be part of a file's name; if not, a problem at {@code place}.
   */
  static boolean isName(String name, SourceLocation place) {
    boolean good = name.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    if (!good) {
      place.report("'" + name + "' is not a name; use letters, digits, '.', '-' and '_'");
    }
    return good;
  }

  /** Returns the full name of a Java class. */
  Optional<String> className() {
    return text()
        .filter(
            name -> {
              boolean good =
                  name.matches("([\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*[\\p{L}_$][\\p{L}\\p{N}_$]*");
              if (!good) {
                report("'" + name + "' is not the name of a Java class");
              }
              return good;
            });
  }

  /**
   * Returns a whole number from {@code least} to {@code most}; digits may be grouped by
   * underscores, and thousands and more be written as {@code 10k}, {@code 1.5M} or {@code 4Ki}.
   */
  Optional<Long> integer(long least, long most) {
    return text().flatMap(text -> integer(text, text, least, most));
  }

  /** Returns a number of bytes, read like {@link #integer}; {@code B} may stand after it. */
  Optional<Integer> bytes(long most) {
    return text()
        .flatMap(text -> integer(text, text.replaceFirst("(?<=[0-9kMGTi]) ?B$", ""), 1, most))
        .map(Long::intValue);
  }

  private Optional<Long> integer(String text, String number, long least, long most) {
    Optional<BigDecimal> value =
        quantity(number).map(BigDecimal::stripTrailingZeros).filter(each -> each.scale() <= 0);
    if (value.isEmpty() || !number.matches("[+-]?[0-9]([0-9_.]*[0-9])? ?[A-Za-z]*")) {
      report("'" + text + "' is not a whole number");
      return Optional.empty();
    }
    if (value.get().compareTo(BigDecimal.valueOf(least)) < 0) {
      report("'" + text + "' is too small; it must be at least " + least);
      return Optional.empty();
    }
    if (value.get().compareTo(BigDecimal.valueOf(most)) > 0) {
      report("'" + text + "' is too large; it must be at most " + most);
      return Optional.empty();
    }
    return value.map(BigDecimal::longValueExact);
  }

  /** Returns the number that {@code text} is, with or without a prefix such as {@code k}. */
  private static Optional<BigDecimal> quantity(String text) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      BigDecimal factor = BigDecimal.valueOf(PREFIXES.get(matcher.group(2)));
      return Optional.of(new BigDecimal(matcher.group(1).replace("_", "")).multiply(factor));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns a number.
   *
   * @param range what {@code valid} asks, for the message: {@code greater than 0}
   */
  Optional<Double> number(String range, DoublePredicate valid) {
    Optional<String> text = text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Double> value = quantity(text.get()).map(BigDecimal::doubleValue);
    if (value.isEmpty()) {
      report("'" + text.get() + "' is not a number");
    } else if (!Double.isFinite(value.get()) || !valid.test(value.get())) {
      report("'" + text.get() + "' is out of range; it must be " + range);
      return Optional.empty();
    }
    return value;
  }

  /** {@code true} or {@code false}. */
  Optional<Boolean> flag() {
    return choice("value", Map.of("true", true, "false", false));
  }

  /**
   * Returns one of the names of {@code valid}.
   *
   * @param noun what the names are, for the message
   */
  <T> Optional<T> choice(String noun, Map<String, T> valid) {
    Optional<String> text = text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    T value = valid.get(text.get());
    if (value == null) {
      List<String> names = valid.keySet().stream().sorted().toList();
      report("unknown " + noun + " '" + text.get() + "'" + Suggestion.of(text.get(), names));
    }
    return Optional.ofNullable(value);
  }

  /**
   * As {@link #choice(String, Map)}, where some names were others before.
   *
   * @param renamed what they are now, by what they were
   */
  <T> Optional<T> choice(String noun, Map<String, T> valid, Map<String, String> renamed) {
    if (node instanceof ScalarNode scalar && renamed.containsKey(scalar.getValue())) {
      String now = renamed.get(scalar.getValue());
      place.noteRenamed(scalar.getValue(), now);
      return Optional.of(valid.get(now));
    }
    return choice(noun, valid);
  }

  /** Returns all of it as maps, lists and texts, whoever asked for which keys. */
  Object tree() {
    return tree(node);
  }

  private static Object tree(Node node) {
    if (node instanceof MappingNode map) {
      Map<String, Object> tree = new LinkedHashMap<>();
      for (NodeTuple tuple : map.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key) {
          tree.put(key.getValue(), tree(tuple.getValueNode()));
        }
      }
      return tree;
    }
    return node instanceof SequenceNode list
        ? list.getValue().stream().map(YamlValue::tree).toList()
        : ((ScalarNode) node).getValue();
  }

  /** Reads a map with known keys; keys that {@code reader} does not ask for are problems. */
  <T> Optional<T> section(Function<YamlMap, T> reader) {
    return section("key", reader);
  }

  /**
   * Reads a map with known keys; keys that {@code reader} does not ask for are problems.
   *
   * @param noun what the keys are, for the message
   */
  <T> Optional<T> section(String noun, Function<YamlMap, T> reader) {
    if (!(node instanceof MappingNode map)) {
      report("expected a map of keys and values but found " + found());
      return Optional.empty();
    }
    YamlMap section = new YamlMap(map, place, form, noun);
    T result = reader.apply(section);
    section.reportUnknownKeys();
    return Optional.of(result);
  }

  /** Like {@link #section(Function)}, for a reader that has no result. */
  void inside(Consumer<YamlMap> reader) {
    section(
        section -> {
          reader.accept(section);
          return true;
        });
  }

  /** Returns the keys of a map; none if this is no map. */
  Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    if (node instanceof MappingNode map) {
      for (NodeTuple tuple : map.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key) {
          keys.add(key.getValue());
        }
      }
    }
    return keys;
  }

  /** Returns the items of a list; empty, with a problem, if this is none. */
  List<YamlValue> items() {
    if (!(node instanceof SequenceNode list)) {
      report("expected a list but found " + found());
      return List.of();
    }
    List<YamlValue> result = new ArrayList<>();
    for (Node item : list.getValue()) {
      result.add(new YamlValue(item, place.item(result.size(), item.getStartMark()), form + "[]"));
    }
    return result;
  }

  /** Returns the items of a list as texts. */
  List<String> texts() {
    return items().stream().flatMap(item -> item.text().stream()).toList();
  }

  private boolean isNothing() {
    return node.getTag().equals(Tag.NULL)
        && node instanceof ScalarNode scalar
        && scalar.getValue().isEmpty();
  }

  private String found() {
    if (isMap()) {
      return "a map";
    }
    if (isList()) {
      return "a list";
    }
    return isNothing() ? "nothing" : "'" + ((ScalarNode) node).getValue() + "'";
  }
}
