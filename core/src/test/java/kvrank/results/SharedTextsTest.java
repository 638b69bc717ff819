package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedTextsTest {

  private record Texts(Map<String, String> settings, List<String> others) {}

  @TempDir private Path folder;

  private Texts read(Map<String, String> settings, List<String> others) throws Exception {
    Path file = folder.resolve("texts.json");
    Files.writeString(file, Json.file(new Texts(settings, others)));
    return Json.read(file, Texts.class);
  }

  @Test
  void equalTextsOfFilesAreOneObject() throws Exception {
    Texts one = read(Map.of("fsync", "every-1s"), List.of("every-1s"));
    Texts other = read(Map.of("sync", "every-1s"), List.of());
    assertThat(one.others().get(0)).isSameAs(one.settings().get("fsync"));
    assertThat(other.settings().get("sync")).isSameAs(one.settings().get("fsync"));
  }

  @Test
  void textsThatShareAPlaceKeepTheirValues() throws Exception {
    List<String> many = IntStream.range(0, 40_000).mapToObj(i -> "text " + i).toList();
    List<String> long201 = List.of("x".repeat(201), "");
    assertThat(read(Map.of(), many).others()).isEqualTo(many);
    assertThat(read(Map.of(), long201).others()).isEqualTo(long201);
  }
}
