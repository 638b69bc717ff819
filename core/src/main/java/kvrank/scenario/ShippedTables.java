package kvrank.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.table.TableSpec;

/** The tables of {@code tables/} as they were when kvrank was built. */
public final class ShippedTables {

  private ShippedTables() {}

  /** Returns the table of that name, if there is one. */
  public static Optional<TableSpec> named(String name) {
    String file = name + ".yaml";
    try (InputStream in = ShippedTables.class.getResourceAsStream("/kvrank/tables/" + file)) {
      if (in == null) {
        return Optional.empty();
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return YamlFile.parse(new Diagnostics(note -> {}), text, Path.of(file))
          .flatMap(new TableReader(Optional.empty())::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
