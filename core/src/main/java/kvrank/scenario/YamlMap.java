package kvrank.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A map in a YAML file, without keys if there is none. Readers ask for the keys that they know; so
 * the keys that exist are declared in one place, and what nobody asked for is reported at the end.
 */
final class YamlMap {

  private static final String ANY = "*";

  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
  private final SortedSet<String> known = new TreeSet<>();
  private final Set<String> former = new TreeSet<>();
  private final SourceLocation place;
  private final String noun;
  private final boolean present;

  /**
   * @param node a map, or something else if there is none
   * @param noun what the keys are, for messages
   */
  YamlMap(Node node, SourceLocation place, String noun) {
    this.place = place;
    this.noun = noun;
    this.present = node instanceof MappingNode;
    for (NodeTuple tuple : tuples(node)) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        place
            .at(tuple.getKeyNode().getStartMark(), place.path())
            .report("a key must be a word, not a list or a map");
      } else if (entries.putIfAbsent(key.getValue(), tuple) != null) {
        String first = keyPlace(key.getValue()).reference();
        place
            .key(key.getValue(), key.getStartMark())
            .report("duplicate %s '%s'; it is also on %s", noun, key.getValue(), first);
      }
    }
  }

  static List<NodeTuple> tuples(Node node) {
    return node instanceof MappingNode map ? map.getValue() : List.of();
  }

  SourceLocation place() {
    return place;
  }

  /** Returns the keys that were asked for; {@code *} for all. */
  SortedSet<String> vocabulary() {
    SortedSet<String> keys = new TreeSet<>(known);
    keys.addAll(former);
    return keys;
  }

  /** Returns the value of {@code key}, which is absent if the key is not there. */
  YamlValue get(String key) {
    known.add(key);
    return value(key);
  }

  /** Returns the value of {@code key}, which may be called {@code old}, as it was before. */
  YamlValue get(String key, String old) {
    YamlValue value = get(key);
    former.add(old);
    if (has(old) && value.isPresent()) {
      keyPlace(old)
          .report(
              "'%s' is called '%s' now, which is on %s; keep that one",
              old, key, keyPlace(key).reference());
    } else if (has(old)) {
      keyPlace(old).noteRenamed(old, key);
      return value(old);
    }
    return value;
  }

  /** Returns the value of {@code key}; a problem if it is not there. */
  YamlValue required(String key) {
    if (present && !has(key)) {
      place.key(key, null).report("missing key '" + key + "'");
    }
    return get(key);
  }

  /** Returns the number of keys. */
  int size() {
    return entries.size();
  }

  /** Returns whether {@code key} is there. */
  boolean has(String key) {
    return entries.containsKey(key);
  }

  /** Returns where {@code key} stands, which is not a key but has a problem of its own. */
  SourceLocation claim(String key) {
    former.add(key);
    return keyPlace(key);
  }

  /** Returns where {@code key} stands; the place of the map if it is not there. */
  SourceLocation keyPlace(String key) {
    NodeTuple entry = entries.get(key);
    return place.key(key, entry == null ? null : entry.getKeyNode().getStartMark());
  }

  /** Returns all entries of a map whose keys are the user's own, in the order of the file. */
  Map<String, YamlValue> all() {
    known.add(ANY);
    Map<String, YamlValue> result = new LinkedHashMap<>();
    entries.keySet().forEach(key -> result.put(key, value(key)));
    return result;
  }

  /** Returns all entries of a map whose keys are the user's own, as texts. */
  SortedMap<String, String> texts() {
    SortedMap<String, String> result = new TreeMap<>();
    all().forEach((key, value) -> value.text().ifPresent(text -> result.put(key, text)));
    return result;
  }

  /**
   * Files and folders, absolute; each must be there. None if the section has no such key.
   *
   * @param folder what relative paths are relative to
   */
  List<Path> files(String key, Path folder) {
    List<Path> files = new ArrayList<>();
    for (YamlValue item : get(key).items()) {
      if (item.text().isPresent()) {
        Path path = folder.resolve(item.text().get()).toAbsolutePath();
        if (!Files.exists(path)) {
          item.report("no file '" + path.normalize() + "'");
        }
        files.add(path.normalize());
      }
    }
    return files;
  }

  /** Reports every key of the user's own that is not in {@code valid}. */
  void check(String complaint, Collection<String> valid) {
    all().keySet().forEach(key -> keyPlace(key).has(complaint, key, valid));
  }

  /** Reports every key that was not asked for. */
  void reportUnknownKeys() {
    for (String key : entries.keySet()) {
      if (!known.contains(ANY) && !former.contains(key)) {
        keyPlace(key).known(noun, key, known);
      }
    }
  }

  private YamlValue value(String key) {
    Node value = has(key) ? entries.get(key).getValueNode() : null;
    return new YamlValue(value, place.key(key, value == null ? null : value.getStartMark()));
  }
}
