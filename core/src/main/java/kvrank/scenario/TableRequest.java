package kvrank.scenario;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import kvrank.table.TableSpec;
import org.yaml.snakeyaml.Yaml;

/** A table that a scenario asks for. */
public sealed interface TableRequest {

  /** Returns it as a scenario and {@code plan.json} state it: a name, or maps, lists and texts. */
  @JsonValue
  Object stated();

  /** Returns the table; empty if this kvrank has none of that name. */
  Optional<TableSpec> table();

  /** Returns the request that {@code stated} stands for. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static TableRequest of(Object stated) {
    if (stated instanceof Map<?, ?> map) {
      return new Inline(map);
    }
    return new Named(String.valueOf(stated));
  }

  /**
   * One of those that kvrank brings.
   *
   * @param name the name of its file without the ending
   */
  record Named(String name) implements TableRequest {

    @Override
    public Object stated() {
      return name;
    }

    @Override
    public Optional<TableSpec> table() {
      return ShippedTables.named(name);
    }
  }

  /**
   * One that the scenario or a file of its user has, whole: results are reported where neither is.
   *
   * @param tree its keys and values
   */
  record Inline(Map<?, ?> tree) implements TableRequest {

    public Inline {
      tree = Collections.unmodifiableMap(new LinkedHashMap<>(tree));
    }

    @Override
    public Object stated() {
      return tree;
    }

    @Override
    public Optional<TableSpec> table() {
      return YamlFile.parse(
              new Diagnostics(note -> {}), new Yaml().dump(tree), Path.of("plan.json"))
          .flatMap(new TableReader(Optional.empty())::read);
    }
  }
}
