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
import java.util.function.UnaryOperator;
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
 * A value in a YAML file, or an absent value. A method that reads a wrong value reports a problem
 * at its place and returns empty; for an absent value it returns empty without a problem.
 *
 * <p>The valid keys of a map are those that its reader gets from it; {@link Diagnostics#problems()}
 * reports all others.
 *
 * <p>Scalars are texts as written: {@code on}, {@code off}, {@code yes} and {@code no} are not
 * booleans as in YAML 1.1.
 */
public final class YamlValue {

  /** A duration with more digits than {@link DurationFormat} accepts. */
  private static final Pattern TOO_LONG = Pattern.compile("[0-9]{10,}+(?:\\.[0-9]+)?(?:ms|s|m|h)");

  /** A duration that {@link DurationFormat} accepts unless it has a fraction of a millisecond. */
  private static final Pattern FRACTION = Pattern.compile("[0-9]+\\.[0-9]+(?:ms|s|m|h)");

  /** Characters of a value. */
  private static final int MAX_LENGTH = 10_000;

  /** The key in a {@linkplain #vocabulary() vocabulary} for keys that the user chooses. */
  private static final String ANY = "*";

  private final Node node;
  private final SourceLocation place;
  private final Map<String, NodeTuple> nodes = new LinkedHashMap<>();
  private final Map<String, YamlValue> children = new HashMap<>();
  private final SortedSet<String> known = new TreeSet<>();
  private final Set<String> misplaced = new TreeSet<>();
  private String noun = "key";
  private String example = "";
  private boolean read;

  /** {@code node} is null for an absent value. */
  public YamlValue(Node node, SourceLocation place) {
    this.node = node;
    this.place = place;
  }

  public SourceLocation place() {
    return place;
  }

  /** Reports a problem with this value and returns empty. */
  public <T> Optional<T> report(String message, Object... arguments) {
    place.report(message, arguments);
    return Optional.empty();
  }

  /** Returns {@code text}, a part of this value, as a value at the same place. */
  public YamlValue with(String text) {
    return new YamlValue(scalar(text), place);
  }

  /** Returns the node of an unquoted {@code value}. */
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

  public boolean isBlank() {
    return node instanceof ScalarNode scalar && !isNothing() && scalar.getValue().isBlank();
  }

  public boolean isMap() {
    return node instanceof MappingNode;
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** Returns the text as written; an empty text must be quoted. */
  public Optional<String> text() {
    if (node instanceof ScalarNode scalar && !isNothing()) {
      String text = scalar.getValue();
      if (text.length() > MAX_LENGTH) {
        return report("has %,d characters; at most %,d are allowed", text.length(), MAX_LENGTH);
      }
      String shown = Problem.printable(text);
      return shown.equals(text)
          ? Optional.of(text)
          : report("'%s' has a character that cannot be printed", shown);
    }
    if (isNothing()) {
      return report("has no value; write \"\" for an empty text");
    }
    return isPresent() ? report("expected one value but found " + actual()) : Optional.empty();
  }

  /** Returns the parsed text; if {@code parser} returns empty, reports {@code complaint}. */
  public <T> Optional<T> parsed(String complaint, Function<String, Optional<T>> parser) {
    Optional<String> text = text();
    Optional<T> parsed = text.flatMap(parser);
    return text.isPresent() && parsed.isEmpty()
        ? report("'" + text.get() + "' " + complaint)
        : parsed;
  }

  public Optional<String> matching(String complaint, String regex) {
    return parsed(complaint, text -> Optional.of(text).filter(value -> value.matches(regex)));
  }

  public Optional<String> oneOf(String noun, Collection<String> valid) {
    return text().filter(text -> place.known(noun, text, valid));
  }

  /** Returns a text that is not blank, in one line. */
  public Optional<String> sentence() {
    return isBlank()
        ? report("is empty; write a sentence")
        : text().map(text -> text.strip().replaceAll("\\s*\\R\\s*", " "));
  }

  /** Returns a text that can be part of a file name. */
  public Optional<String> name() {
    return text().filter(place::isName);
  }

  public Optional<String> className() {
    return matching(
        "is not the name of a Java class",
        "([\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*[\\p{L}_$][\\p{L}\\p{N}_$]*");
  }

  /**
   * Returns a whole number from {@code least} to {@code most}. Underscores may group the digits,
   * and a prefix may follow: {@code 10k}, {@code 1.5M} or {@code 4Ki}.
   */
  public Optional<Long> integer(long least, long most) {
    return integer("", least, most);
  }

  /** Returns a number of bytes: as {@link #integer}, and {@code B} may follow. */
  public Optional<Long> bytes(long least, long most) {
    return integer("(?<=[0-9kMGTi]) ?B$", least, most);
  }

  private Optional<Long> integer(String unit, long least, long most) {
    Optional<String> written = text();
    if (written.isEmpty()) {
      return Optional.empty();
    }
    Optional<BigDecimal> value = Quantity.whole(written.get().replaceFirst(unit, ""));
    if (value.isEmpty()) {
      return report(
          "'%s' is not a whole number%s", written.get(), Quantity.advice(written.get(), unit));
    }
    if (value.get().compareTo(BigDecimal.valueOf(least)) < 0) {
      return report("'%s' is too small; it must be at least %d", written.get(), least);
    }
    return value.get().compareTo(BigDecimal.valueOf(most)) > 0
        ? report("'%s' is too large; it must be at most %d", written.get(), most)
        : value.map(BigDecimal::longValueExact);
  }

  /** Returns a number that passes {@code valid}; {@code range} describes it in messages. */
  public Optional<Double> number(String range, DoublePredicate valid) {
    Optional<Double> value =
        parsed("is not a number", text -> Quantity.of(text).map(BigDecimal::doubleValue));
    return value.isPresent() && (!Double.isFinite(value.get()) || !valid.test(value.get()))
        ? report("'%s' is out of range; it must be %s", text().get(), range)
        : value;
  }

  /** Returns a duration; {@code next} is what to write instead, for messages. */
  public Optional<Duration> duration(String next) {
    String text = text().orElse("");
    boolean fraction = FRACTION.matcher(text).matches();
    return TOO_LONG.matcher(text).matches()
        ? report("'%s' is too long; it must be at most 999999999h", text)
        : parsed(
            fraction
                ? "has a fraction of a millisecond; round it"
                : "is not a duration; write " + next,
            DurationFormat::parse);
  }

  /** Returns a duration above zero, in its normal form; {@code noun} names it in messages. */
  public Optional<String> positiveDuration(String noun) {
    Optional<Duration> duration = duration("a number and ms, s, m or h, such as 10s");
    return duration.filter(Duration::isZero).isPresent()
        ? report("'%s' is too short; %s must be longer than 0s", text().get(), noun)
        : duration.map(DurationFormat::format);
  }

  public Optional<Boolean> flag() {
    return choice("value", Map.of("true", true, "false", false));
  }

  /** Returns the value of {@code valid} under this name; {@code noun} is for messages. */
  public <T> Optional<T> choice(String noun, Map<String, T> valid) {
    return oneOf(noun, new TreeSet<>(valid.keySet())).map(valid::get);
  }

  /** Returns the constant of {@code type} with this name, in lower case with hyphens. */
  public <E extends Enum<E>> Optional<E> choice(String noun, Class<E> type) {
    Map<String, E> valid = new TreeMap<>();
    for (E constant : EnumSet.allOf(type)) {
      valid.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
    }
    return choice(noun, valid);
  }

  /** Returns the whole value as maps, lists and texts, unknown keys included. */
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

  /** Returns whether this is a map; reports a problem if it is another value. */
  public boolean expectMap() {
    nodes();
    return isMap();
  }

  /** Returns the result of {@code reader} for a map; empty, with a problem, for another value. */
  public <T> Optional<T> ifMap(Function<YamlValue, T> reader) {
    return expectMap() ? Optional.of(reader.apply(this)) : Optional.empty();
  }

  /** Returns this; {@code noun} is the word for its keys in messages. */
  public YamlValue keys(String noun) {
    this.noun = noun;
    return this;
  }

  /** Returns this map; {@code form} gets the right form from a text in its place, for messages. */
  public YamlValue meant(UnaryOperator<String> form) {
    if (node instanceof ScalarNode scalar && !isNothing()) {
      example = "; write " + form.apply(scalar.getValue());
    }
    return this;
  }

  /** Returns the entries of a map by key; reads them, and reports duplicates, at the first call. */
  private Map<String, NodeTuple> nodes() {
    if (!read) {
      read = true;
      if (isMap()) {
        place.reading().asked(this);
        tuples(node).forEach(this::enter);
      } else if (isPresent()) {
        report("expected a map of keys and values but found " + actual() + example);
      }
    }
    return nodes;
  }

  private void enter(NodeTuple tuple) {
    if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
      place
          .at(tuple.getKeyNode().getStartMark(), place.path())
          .report("a key must be a word, not a list or a map");
    } else if (nodes.putIfAbsent(key.getValue(), tuple) != null) {
      String first = at(key.getValue()).reference();
      place
          .key(key.getValue(), key.getStartMark())
          .report("duplicate %s '%s'; it is also on %s", noun, key.getValue(), first);
    }
  }

  private YamlValue child(String key) {
    NodeTuple entry = nodes().get(key);
    Node value = entry == null ? null : entry.getValueNode();
    Mark mark = entry == null ? null : value.getStartMark();
    return children.computeIfAbsent(key, any -> new YamlValue(value, place.key(key, mark)));
  }

  /** Returns the keys that readers asked for, and {@code *} if the user chooses the keys. */
  public SortedSet<String> vocabulary() {
    SortedSet<String> keys = new TreeSet<>(known);
    keys.addAll(misplaced);
    return keys;
  }

  /** Returns the value of {@code key}; an absent value if there is no such key. */
  public YamlValue get(String key) {
    known.add(key);
    return child(key);
  }

  /** Returns the value of {@code key}; reports a problem if there is no such key. */
  public YamlValue required(String key) {
    if (isMap() && !has(key)) {
      place.key(key, null).report("missing key '" + key + "'");
    }
    return get(key);
  }

  /** Returns the place of an invalid {@code key}, on which the caller reports its own problem. */
  public SourceLocation misplaced(String key) {
    misplaced.add(key);
    return at(key);
  }

  /** Returns the place of {@code key}; the place of the map if there is no such key. */
  public SourceLocation at(String key) {
    NodeTuple entry = nodes().get(key);
    return place.key(key, entry == null ? null : entry.getKeyNode().getStartMark());
  }

  /** Returns all entries, in the order of the file, of a map whose keys the user chooses. */
  public Map<String, YamlValue> entries() {
    known.add(ANY);
    Map<String, YamlValue> result = new LinkedHashMap<>();
    nodes().keySet().forEach(key -> result.put(key, child(key)));
    return result;
  }

  public Set<String> names() {
    return nodes().keySet();
  }

  /** Returns all entries, as texts, of a map whose keys the user chooses. */
  public SortedMap<String, String> texts() {
    SortedMap<String, String> result = new TreeMap<>();
    entries().forEach((key, value) -> value.text().ifPresent(text -> result.put(key, text)));
    return result;
  }

  /**
   * Returns absolute paths of existing files and folders of classes, which no other user may be
   * able to change; relative ones are from {@code folder}.
   */
  public List<Path> files(String key, Path folder) {
    List<Path> files = new ArrayList<>();
    for (YamlValue item : get(key).items()) {
      Optional<Path> file = item.text().map(text -> folder.resolve(text).toAbsolutePath());
      if (file.isPresent() && !Files.exists(file.get())) {
        item.report("the file '" + file.get().normalize() + "' does not exist");
      } else {
        file.flatMap(TrustedPath::changeable).ifPresent(problem -> item.report("%s", problem));
      }
      file.ifPresent(path -> files.add(path.normalize()));
    }
    return files;
  }

  /** Reports every key that the user chose and that is not in {@code valid}. */
  public void check(String complaint, Collection<String> valid) {
    entries().keySet().forEach(key -> at(key).has(complaint, key, valid));
  }

  void reportUnknownKeys() {
    for (String key : nodes().keySet()) {
      if (!known.contains(ANY) && !misplaced.contains(key)) {
        at(key).known(noun, key, known);
      }
    }
  }

  private static List<NodeTuple> tuples(Node node) {
    return node instanceof MappingNode map ? map.getValue() : List.of();
  }

  public boolean has(String key) {
    return tuples(node).stream()
        .anyMatch(entry -> entry.getKeyNode() instanceof ScalarNode k && k.getValue().equals(key));
  }

  /** Returns the items of a list; empty, with a problem, if this is another value. */
  public List<YamlValue> items() {
    List<YamlValue> result = new ArrayList<>();
    if (node instanceof SequenceNode list) {
      for (Node item : list.getValue()) {
        String path = place.path() + "[" + result.size() + "]";
        result.add(new YamlValue(item, place.at(item.getStartMark(), path)));
      }
    } else if (isPresent()) {
      report("expected a list but found " + actual());
    }
    return result;
  }

  /** Returns the items of a list; reports {@code complaint} if it is empty. */
  public List<YamlValue> items(String complaint) {
    if (node instanceof SequenceNode list && list.getValue().isEmpty()) {
      report(complaint);
    }
    return items();
  }

  /**
   * Returns the items of a list as {@code reader} reads them; reports empty lists and duplicates.
   */
  public List<String> distinct(Function<YamlValue, Optional<String>> reader) {
    List<String> values = new ArrayList<>();
    for (YamlValue item : items("needs at least one value")) {
      Optional<String> value = reader.apply(item);
      if (value.isPresent() && values.contains(value.get())) {
        item.report("'%s' occurs twice", value.get());
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
    return readAll(items(), YamlValue::text);
  }

  /** Returns the results of {@code reader} for the valid ones of {@code items}. */
  public static <T> List<T> readAll(
      List<YamlValue> items, Function<YamlValue, Optional<T>> reader) {
    return items.stream().flatMap(item -> reader.apply(item).stream()).toList();
  }

  private boolean isNothing() {
    return node instanceof ScalarNode scalar
        && node.getTag().equals(Tag.NULL)
        && scalar.getValue().isEmpty();
  }

  private String actual() {
    if (node instanceof ScalarNode scalar) {
      return isNothing() ? "nothing" : "'" + scalar.getValue() + "'";
    }
    return isMap() ? "a map" : "a list";
  }
}
