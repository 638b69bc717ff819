package kvrank.scenario;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import kvrank.table.TableSpec;
import org.yaml.snakeyaml.Yaml;

/**
 * A table that a scenario asks for.
 *
 * @param stated as a scenario and {@code plan.json} state it: the name of one that kvrank brings,
 *     or, since results are reported where a user's file is not, the maps, lists and texts of one
 */
public record TableRequest(@JsonValue Object stated) {

  /** Returns the request that {@code stated} stands for. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static TableRequest of(Object stated) {
    return new TableRequest(stated instanceof Map ? stated : String.valueOf(stated));
  }

  /** Returns the table; empty if this kvrank has none of that name. */
  public Optional<TableSpec> table() {
    return stated instanceof Map
        ? read(new Yaml().dump(stated), "plan.json")
        : shipped(stated.toString());
  }

  /** Returns the table of {@code tables/} as it was when kvrank was built, if it was there. */
  static Optional<TableSpec> shipped(String name) {
    String file = name + ".yaml";
    try (InputStream in = TableRequest.class.getResourceAsStream("/kvrank/tables/" + file)) {
      return in == null
          ? Optional.empty()
          : read(new String(in.readAllBytes(), StandardCharsets.UTF_8), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<TableSpec> read(String text, String file) {
    return YamlFile.parse(new Diagnostics(note -> {}), text, Path.of(file))
        .flatMap(new TableReader(Optional.empty())::read);
  }
}
