package kvrank.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A map in a YAML file. Readers ask for the keys that they know; so the keys that exist are
 * declared in one place, and what nobody asked for is reported at the end.
 */
final class YamlMap {

  private record Entry(SourceLocation key, NodeTuple tuple) {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> known = new TreeSet<>();
  private final Set<String> former = new TreeSet<>();
  private final MappingNode map;
  private final SourceLocation place;
  private final String form;
  private final String noun;
  private boolean anyKey;

  YamlMap(MappingNode map, SourceLocation place, String form, String noun) {
    this.map = map;
    this.place = place;
    this.form = form;
    this.noun = noun;
    for (NodeTuple tuple : map.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key) {
        SourceLocation here = place.key(key.getValue(), key.getStartMark());
        Entry first = entries.putIfAbsent(key.getValue(), new Entry(here, tuple));
        if (first != null) {
          here.report(
              "duplicate %s '%s'; it is also on %s"
                  .formatted(noun, key.getValue(), first.key().reference()));
        }
      } else {
        place
            .at(tuple.getKeyNode().getStartMark(), place.path())
            .report("a key must be a word, not a list or a map");
      }
    }
  }

  SourceLocation place() {
    return place;
  }

  /** Returns the value of {@code key}, if it is there. */
  Optional<YamlValue> optional(String key) {
    known.add(key);
    place.reading().asked(place.source().name(), form, key);
    return Optional.ofNullable(entries.get(key)).map(entry -> element(key, key, entry));
  }

  /** Returns the value of {@code key}, which may be called {@code old}, as it was before. */
  Optional<YamlValue> optional(String key, String old) {
    Optional<YamlValue> value = optional(key);
    former.add(old);
    place.reading().asked(place.source().name(), form, old);
    Entry entry = entries.get(old);
    if (entry == null) {
      return value;
    }
    if (value.isPresent()) {
      entry
          .key()
          .report(
              "'%s' is called '%s' now, which is on %s; keep that one"
                  .formatted(old, key, keyPlace(key).reference()));
      return value;
    }
    entry.key().noteRenamed(old, key);
    return Optional.of(element(old, key, entry));
  }

  /** Returns the value of {@code key}; a problem if it is not there. */
  Optional<YamlValue> required(String key) {
    Optional<YamlValue> element = optional(key);
    if (element.isEmpty()) {
      place.key(key, null).report("missing key '" + key + "'");
    }
    return element;
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
    known.add(key);
    return keyPlace(key);
  }

  /** Returns where {@code key} stands; it must be there. */
  SourceLocation keyPlace(String key) {
    return entries.get(key).key();
  }

  /** Returns where the last of {@code keys} stands, each in the map of the one before it. */
  SourceLocation find(List<String> keys) {
    SourceLocation result = place;
    Node here = map;
    for (String key : keys) {
      NodeTuple tuple = tuple(here, key);
      result = result.key(key, tuple == null ? null : tuple.getKeyNode().getStartMark());
      here = tuple == null ? here : tuple.getValueNode();
    }
    return result;
  }

  private static NodeTuple tuple(Node node, String key) {
    if (node instanceof MappingNode map) {
      for (NodeTuple tuple : map.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key)) {
          return tuple;
        }
      }
    }
    return null;
  }

  /** Returns all entries of a map whose keys are the user's own, in the order of the file. */
  Map<String, YamlValue> all() {
    anyKey = true;
    place.reading().asked(place.source().name(), form, "*");
    Map<String, YamlValue> result = new LinkedHashMap<>();
    entries.forEach((key, entry) -> result.put(key, element(key, "*", entry)));
    return Collections.unmodifiableMap(result);
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
    for (YamlValue item : optional(key).map(YamlValue::items).orElse(List.of())) {
      Optional<Path> path = item.text().map(folder::resolve).map(Path::toAbsolutePath);
      if (path.isPresent() && !Files.exists(path.get())) {
        item.report("no file '" + path.get().normalize() + "'");
      }
      path.map(Path::normalize).ifPresent(files::add);
    }
    return files;
  }

  /** Reports every key that was not asked for. */
  void reportUnknownKeys() {
    if (!anyKey) {
      entries.forEach(
          (key, entry) -> {
            if (!known.contains(key) && !former.contains(key)) {
              entry
                  .key()
                  .report("unknown %s '%s'%s".formatted(noun, key, Suggestion.of(key, known)));
            }
          });
    }
  }

  private YamlValue element(String key, String keyForm, Entry entry) {
    Node value = entry.tuple().getValueNode();
    return new YamlValue(
        value,
        place.key(key, value.getStartMark()),
        form.isEmpty() ? keyForm : form + "." + keyForm);
  }
}
