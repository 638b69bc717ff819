package kvrank.input;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.workload.request.DurationFormat;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value in a YAML file, or the absence of one. What is asked of a value and is not so becomes a
 * problem at its place, and the answer is empty; an absent one has empty answers and no problems.
 *
 * <p>Readers ask a map for the keys that they know; so the keys that exist are declared in one
 * place, and what nobody asked for is reported at the end.
 *
 * <p>Scalars are read as written, so {@code on}, {@code off}, {@code yes} and {@code no} are not
 * the booleans that YAML 1.1 takes them for.
 */
public final class YamlValue {

  private static final Pattern QUANTITY = Pattern.compile("(.*?[0-9_]) ?([kMGT]|[KMG]i|)");

  /** The prefixes of the SI and of IEC 80000-13. */
  private static final Map<String, Double> PREFIXES =
      Map.of(
          "", 1e0, "k", 1e3, "M", 1e6, "G", 1e9, "T", 1e12, "Ki", 0x1p10, "Mi", 0x1p20, "Gi",
          0x1p30);

  /** A duration of more digits than are read. */
  private static final Pattern TOO_LONG = Pattern.compile("[0-9]{10,}+(?:\\.[0-9]+)?(?:ms|s|m|h)");

  /** The most characters of a value. */
  private static final int LONGEST = 10_000;

  /** Stands for any key of a map whose keys are the user's own. */
  private static final String ANY = "*";

  private final Node node;
  private final SourceLocation place;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
  private final Map<String, YamlValue> children = new HashMap<>();
  private final SortedSet<String> known = new TreeSet<>();
  private final Set<String> claimed = new TreeSet<>();
  private String noun = "key";
  private boolean read;

  /** {@code node} is null for an absent value. */
  public YamlValue(Node node, SourceLocation place) {
    this.node = node;
    this.place = place;
  }

  public SourceLocation place() {
    return place;
  }

  /** Reports a problem with this value; returns nothing, as that is what was read. */
  public <T> Optional<T> report(String message, Object... arguments) {
    place.report(message, arguments);
    return Optional.empty();
  }

  /** Returns {@code text}, a part of this value, as a value of its own at the same place. */
  public YamlValue with(String text) {
    return new YamlValue(scalar(text), place);
  }

  /** Returns the node of {@code value} as a file has it without quotes. */
  public static Node scalar(String value) {
    return new ScalarNode(Tag.STR, value, null, null, DumperOptions.ScalarStyle.PLAIN);
  }

  public boolean isPresent() {
    return node != null;
  }

  public YamlValue or(YamlValue other) {
    return isPresent() ? this : other;
  }

  public YamlValue absent() {
    return new YamlValue(null, place);
  }

  /** Returns whether it is an empty text. */
  public boolean isBlank() {
    return node instanceof ScalarNode scalar && !isNothing() && scalar.getValue().isBlank();
  }

  public boolean isMap() {
    return node instanceof MappingNode;
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** Returns the text as written; may be empty only if it is quoted. */
  public Optional<String> text() {
    if (node instanceof ScalarNode scalar && !isNothing()) {
      String text = scalar.getValue();
      if (text.length() > LONGEST) {
        return report("is too long: %,d characters of at most %,d", text.length(), LONGEST);
      }
      String shown = Problem.printable(text);
      return shown.equals(text)
          ? Optional.of(text)
          : report("'%s' has a character that cannot be printed", shown);
    }
    if (isNothing()) {
      return report("has no value; an empty text is written \"\"");
    }
    return isPresent() ? report("expected one value but found " + found()) : Optional.empty();
  }

  /**
   * Returns what {@code parser} makes of the text; {@code complaint} comes after it if that is
   * empty.
   */
  public <T> Optional<T> parsed(String complaint, Function<String, Optional<T>> parser) {
    Optional<String> text = text();
    Optional<T> parsed = text.flatMap(parser);
    return text.isPresent() && parsed.isEmpty()
        ? report("'" + text.get() + "' " + complaint)
        : parsed;
  }

  public Optional<String> matching(String complaint, String regex) {
    return parsed(complaint, text -> Optional.of(text).filter(each -> each.matches(regex)));
  }

  public Optional<String> oneOf(String noun, Collection<String> valid) {
    return text().filter(text -> place.known(noun, text, valid));
  }

  /** Returns a text that is not blank, in one line. */
  public Optional<String> sentence() {
    return isBlank()
        ? report("is empty; say it in a sentence")
        : text().map(text -> text.strip().replaceAll("\\s*\\R\\s*", " "));
  }

  /** Returns a text that can be part of a file's name. */
  public Optional<String> name() {
    return text().filter(place::isName);
  }

  public Optional<String> className() {
    return matching(
        "is not the name of a Java class",
        "([\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*[\\p{L}_$][\\p{L}\\p{N}_$]*");
  }

  /**
   * Returns a whole number from {@code least} to {@code most}; digits may be grouped by
   * underscores, and thousands and more be written as {@code 10k}, {@code 1.5M} or {@code 4Ki}.
   */
  public Optional<Long> integer(long least, long most) {
    return integer("", least, most);
  }

  /** Returns a number of bytes, read like {@link #integer}; {@code B} may stand after it. */
  public Optional<Long> bytes(long least, long most) {
    return integer("(?<=[0-9kMGTi]) ?B$", least, most);
  }

  private Optional<Long> integer(String unit, long least, long most) {
    Optional<BigDecimal> value =
        parsed("is not a whole number", text -> whole(text.replaceFirst(unit, "")));
    if (value.isPresent() && value.get().compareTo(BigDecimal.valueOf(least)) < 0) {
      return report("'%s' is too small; it must be at least %d", text().get(), least);
    }
    return value.isPresent() && value.get().compareTo(BigDecimal.valueOf(most)) > 0
        ? report("'%s' is too large; it must be at most %d", text().get(), most)
        : value.map(BigDecimal::longValueExact);
  }

  private static Optional<BigDecimal> whole(String text) {
    return Optional.of(text)
        .filter(each -> each.matches("[+-]?[0-9]([0-9_.]*[0-9])? ?[A-Za-z]*"))
        .flatMap(YamlValue::quantity)
        .filter(number -> number.stripTrailingZeros().scale() <= 0);
  }

  /** Returns the number that {@code text} is, with or without a prefix such as {@code k}. */
  private static Optional<BigDecimal> quantity(String text) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      BigDecimal factor = new BigDecimal(PREFIXES.get(matcher.group(2)));
      return Optional.of(new BigDecimal(matcher.group(1).replace("_", "")).multiply(factor));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns a number in {@code range}, which says in words what {@code valid} asks. */
  public Optional<Double> number(String range, DoublePredicate valid) {
    Optional<Double> value =
        parsed("is not a number", text -> quantity(text).map(BigDecimal::doubleValue));
    return value.isPresent() && (!Double.isFinite(value.get()) || !valid.test(value.get()))
        ? report("'%s' is out of range; it must be %s", text().get(), range)
        : value;
  }

  /** Returns a duration; {@code next} says what to write where this is none. */
  public Optional<Duration> duration(String next) {
    return text().filter(each -> TOO_LONG.matcher(each).matches()).isPresent()
        ? report("'%s' is too long; it must be at most 999999999h", text().get())
        : parsed("is not a duration; write " + next, DurationFormat::parse);
  }

  /** Returns a duration above zero, in its normal form; {@code what} must last that long. */
  public Optional<String> lasting(String what) {
    Optional<Duration> duration = duration("a number and ms, s, m or h, such as 10s");
    return duration.filter(Duration::isZero).isPresent()
        ? report("'%s' is too short; %s must last", text().get(), what)
        : duration.map(DurationFormat::format);
  }

  public Optional<Boolean> flag() {
    return choice("value", Map.of("true", true, "false", false));
  }

  /** Returns what one of the names of {@code valid}, which are {@code noun}s, stands for. */
  public <T> Optional<T> choice(String noun, Map<String, T> valid) {
    return oneOf(noun, new TreeSet<>(valid.keySet())).map(valid::get);
  }

  /** Returns the constant of {@code type} whose name is this in lower case, with hyphens. */
  public <E extends Enum<E>> Optional<E> choice(String noun, Class<E> type) {
    Map<String, E> valid = new TreeMap<>();
    for (E each : EnumSet.allOf(type)) {
      valid.put(each.name().toLowerCase(Locale.ROOT).replace('_', '-'), each);
    }
    return choice(noun, valid);
  }

  /** Returns all of it as maps, lists and texts, whoever asked for which keys. */
  public Object tree() {
    return tree(node);
  }

  private static Object tree(Node node) {
    if (node instanceof MappingNode) {
      Map<String, Object> tree = new LinkedHashMap<>();
      for (NodeTuple tuple : tuples(node)) {
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

  /** Returns whether this is a map; a problem if it is something else. */
  public boolean expectMap() {
    entries();
    return isMap();
  }

  /**
   * Returns what {@code reader} makes of a map; empty, with a problem, if this is something else.
   */
  public <T> Optional<T> ifMap(Function<YamlValue, T> reader) {
    return expectMap() ? Optional.of(reader.apply(this)) : Optional.empty();
  }

  /** Returns this; {@code noun} is what the keys are, for messages. */
  public YamlValue keys(String noun) {
    this.noun = noun;
    return this;
  }

  /** Returns the entries of a map, which is read when it is first asked for one. */
  private Map<String, NodeTuple> entries() {
    if (!read) {
      read = true;
      if (isMap()) {
        place.reading().asked(this);
        tuples(node).forEach(this::enter);
      } else if (isPresent()) {
        report("expected a map of keys and values but found " + found());
      }
    }
    return entries;
  }

  private void enter(NodeTuple tuple) {
    if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
      place
          .at(tuple.getKeyNode().getStartMark(), place.path())
          .report("a key must be a word, not a list or a map");
    } else if (entries.putIfAbsent(key.getValue(), tuple) != null) {
      String first = at(key.getValue()).reference();
      place
          .key(key.getValue(), key.getStartMark())
          .report("duplicate %s '%s'; it is also on %s", noun, key.getValue(), first);
    }
  }

  private YamlValue child(String key) {
    NodeTuple entry = entries().get(key);
    Node value = entry == null ? null : entry.getValueNode();
    Mark mark = entry == null ? null : value.getStartMark();
    return children.computeIfAbsent(key, any -> new YamlValue(value, place.key(key, mark)));
  }

  /** Returns the keys that were asked for; {@code *} for all. */
  public SortedSet<String> vocabulary() {
    SortedSet<String> keys = new TreeSet<>(known);
    keys.addAll(claimed);
    return keys;
  }

  /** Returns the value of {@code key}, which is absent if the key is not there. */
  public YamlValue get(String key) {
    known.add(key);
    return child(key);
  }

  /** Returns the value of {@code key}; a problem if it is not there. */
  public YamlValue required(String key) {
    if (isMap() && !has(key)) {
      place.key(key, null).report("missing key '" + key + "'");
    }
    return get(key);
  }

  /** Returns where {@code key} stands, which is not a key but has a problem of its own. */
  public SourceLocation claim(String key) {
    claimed.add(key);
    return at(key);
  }

  /** Returns where {@code key} stands; the place of the map if it is not there. */
  public SourceLocation at(String key) {
    NodeTuple entry = entries().get(key);
    return place.key(key, entry == null ? null : entry.getKeyNode().getStartMark());
  }

  /** Returns all entries of a map whose keys are the user's own, in the order of the file. */
  public Map<String, YamlValue> all() {
    known.add(ANY);
    Map<String, YamlValue> result = new LinkedHashMap<>();
    entries().keySet().forEach(key -> result.put(key, child(key)));
    return result;
  }

  public Set<String> names() {
    return entries().keySet();
  }

  /** Returns all entries of a map whose keys are the user's own, as texts. */
  public SortedMap<String, String> texts() {
    SortedMap<String, String> result = new TreeMap<>();
    all().forEach((key, value) -> value.text().ifPresent(text -> result.put(key, text)));
    return result;
  }

  /** Returns files and folders by their paths from {@code folder}, absolute; each must be there. */
  public List<Path> files(String key, Path folder) {
    List<Path> files = new ArrayList<>();
    for (YamlValue item : get(key).items()) {
      Optional<Path> file = item.text().map(text -> folder.resolve(text).toAbsolutePath());
      if (file.isPresent() && !Files.exists(file.get())) {
        item.report("no file '" + file.get().normalize() + "'");
      }
      file.ifPresent(path -> files.add(path.normalize()));
    }
    return files;
  }

  /** Reports every key of the user's own that is not in {@code valid}. */
  public void check(String complaint, Collection<String> valid) {
    all().keySet().forEach(key -> at(key).has(complaint, key, valid));
  }

  void reportUnknownKeys() {
    for (String key : entries().keySet()) {
      if (!known.contains(ANY) && !claimed.contains(key)) {
        at(key).known(noun, key, known);
      }
    }
  }

  private static List<NodeTuple> tuples(Node node) {
    return node instanceof MappingNode map ? map.getValue() : List.of();
  }

  public boolean has(String key) {
    return tuples(node).stream()
        .anyMatch(each -> each.getKeyNode() instanceof ScalarNode k && k.getValue().equals(key));
  }

  /** Returns the items of a list; empty, with a problem, if this is none. */
  public List<YamlValue> items() {
    List<YamlValue> result = new ArrayList<>();
    if (node instanceof SequenceNode list) {
      for (Node item : list.getValue()) {
        String path = place.path() + "[" + result.size() + "]";
        result.add(new YamlValue(item, place.at(item.getStartMark(), path)));
      }
    } else if (isPresent()) {
      report("expected a list but found " + found());
    }
    return result;
  }

  /** Returns the items of a list that may not be empty. */
  public List<YamlValue> items(String complaint) {
    if (node instanceof SequenceNode list && list.getValue().isEmpty()) {
      report(complaint);
    }
    return items();
  }

  /** Returns what {@code reader} makes of the items of a list, of which none is there twice. */
  public List<String> distinct(Function<YamlValue, Optional<String>> reader) {
    List<String> values = new ArrayList<>();
    for (YamlValue item : items("needs at least one value")) {
      Optional<String> value = reader.apply(item);
      if (value.isPresent() && values.contains(value.get())) {
        item.report("'%s' is there twice", value.get());
      } else {
        value.ifPresent(values::add);
      }
    }
    return values;
  }

  /** Returns the items of a list, or the only value. */
  public List<YamlValue> oneOrMore() {
    return isPresent() && !isList() ? List.of(this) : items();
  }

  public List<String> words() {
    return each(items(), YamlValue::text);
  }

  /** Returns what {@code reader} makes of each of {@code items} that is right. */
  public static <T> List<T> each(List<YamlValue> items, Function<YamlValue, Optional<T>> reader) {
    return items.stream().flatMap(item -> reader.apply(item).stream()).toList();
  }

  private boolean isNothing() {
    return node instanceof ScalarNode scalar
        && node.getTag().equals(Tag.NULL)
        && scalar.getValue().isEmpty();
  }

  private String found() {
    if (node instanceof ScalarNode scalar) {
      return isNothing() ? "nothing" : "'" + scalar.getValue() + "'";
    }
    return isMap() ? "a map" : "a list";
  }
}
