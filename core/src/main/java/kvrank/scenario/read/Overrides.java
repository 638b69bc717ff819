package kvrank.scenario.read;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.input.Diagnostics;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.scenario.Setting;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The values of {@code --set key=value}, which replace those of a scenario. */
final class Overrides {

  private static final Set<String> OTHER_KEYS =
      Set.of(
          "repetitions",
          "until",
          "budget",
          "patience",
          "seed",
          "order-seed",
          "medium",
          "data",
          "crashes");

  private final Map<String, YamlValue> values = new HashMap<>();

  /** Reads {@code key=value} or, for a setting, {@code key=value,value}. */
  Overrides(Diagnostics reading, List<String> overrides) {
    SourceLocation option = SourceLocation.of(reading, Path.of("--set"), List.of());
    for (String override : overrides) {
      int equals = override.indexOf('=');
      if (equals < 1) {
        option.report("'" + override + "' is not of the form KEY=VALUE");
        continue;
      }
      String key = override.substring(0, equals).strip();
      SourceLocation place = option.key(key, null);
      if (place.known("key", key, keys())) {
        String text = override.substring(equals + 1).strip();
        boolean list = text.contains(",") && !OTHER_KEYS.contains(key);
        if (values.put(key, new YamlValue(list ? list(text) : YamlValue.scalar(text), place))
            != null) {
          place.report("is set twice; keep one of the two");
        }
      }
    }
  }

  boolean has(Setting setting) {
    return values.containsKey(setting.label());
  }

  /** Returns the value that {@code key} is set to; {@code inFile} if it is not set. */
  YamlValue get(String key, YamlValue inFile) {
    return values.getOrDefault(key, inFile);
  }

  /** Returns the value that {@code key} is set to; its value in {@code map} if it is not set. */
  YamlValue in(YamlValue map, String key) {
    return get(key, map.get(key));
  }

  private static Node list(String text) {
    List<Node> items =
        Stream.of(text.split(",", -1)).<Node>map(item -> YamlValue.scalar(item.strip())).toList();
    return new SequenceNode(Tag.SEQ, items, DumperOptions.FlowStyle.FLOW);
  }

  /** Returns every key that can be set, sorted. */
  static Set<String> keys() {
    Set<String> keys = new TreeSet<>(OTHER_KEYS);
    keys.addAll(Setting.labels());
    return keys;
  }
}
