package kvrank.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * What {@code --set key=value} puts in the place of a scenario's own values, as elements without a
 * position, so that they are read as the file's values are.
 */
final class Overrides {

  private static final Set<String> OTHER_KEYS =
      Set.of("repetitions", "seed", "medium", "data", "crashes");

  private static final Map<String, String> RENAMED = Map.of("kills", "crashes");

  private final Map<String, YamlValue> elements;

  private Overrides(Map<String, YamlValue> elements) {
    this.elements = Map.copyOf(elements);
  }

  /** Reads {@code key=value} or, for a setting, {@code key=value,value}. */
  static Overrides parse(Diagnostics reading, List<String> overrides) {
    SourceLocation option = SourceLocation.of(reading, Source.of(Path.of("--set")));
    Map<String, YamlValue> elements = new HashMap<>();
    for (String override : overrides) {
      int equals = override.indexOf('=');
      if (equals < 1) {
        option.report("'" + override + "' is not understood; expected KEY=VALUE");
        continue;
      }
      String said = override.substring(0, equals).strip();
      String key = RENAMED.getOrDefault(said, said);
      SourceLocation place = option.key(said, null);
      if (!said.equals(key)) {
        place.noteRenamed(said, key);
      }
      boolean setting = Setting.of(key).isPresent();
      if (!setting && !OTHER_KEYS.contains(key)) {
        place.report("unknown key '" + key + "'" + Suggestion.of(key, keys()));
        continue;
      }
      Node value = node(override.substring(equals + 1).strip(), setting);
      if (elements.put(key, new YamlValue(value, place, key)) != null) {
        place.report("is set twice; keep one of the two");
      }
    }
    return new Overrides(elements);
  }

  /** Returns what {@code key} is set to. */
  Optional<YamlValue> get(String key) {
    return Optional.ofNullable(elements.get(key));
  }

  /** Returns what {@code setting} is set to: a scalar or, as a factor, a list. */
  Optional<YamlValue> get(Setting setting) {
    return get(setting.label());
  }

  private static Node node(String value, boolean maybeList) {
    if (maybeList && value.contains(",")) {
      List<Node> items =
          Arrays.stream(value.split(",", -1)).map(String::strip).map(Overrides::scalar).toList();
      return new SequenceNode(Tag.SEQ, items, DumperOptions.FlowStyle.FLOW);
    }
    return scalar(value);
  }

  static Node scalar(String value) {
    return new ScalarNode(Tag.STR, value, null, null, DumperOptions.ScalarStyle.PLAIN);
  }

  /** Returns every key that can be set, sorted. */
  static List<String> keys() {
    List<String> keys = new ArrayList<>(OTHER_KEYS);
    for (Setting setting : Setting.values()) {
      keys.add(setting.label());
    }
    return keys.stream().sorted().toList();
  }
}
