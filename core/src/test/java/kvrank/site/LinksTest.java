package kvrank.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvrank.site.advice.Links;
import org.junit.jupiter.api.Test;

class LinksTest {

  @Test
  void everyNameHasAFileOfItsOwn() {
    // Aa and BB have the same hash code.
    List<String> names =
        List.of(
            "redis",
            "Redis",
            "REDIS",
            "redis ",
            "Aa(Aa",
            "BB(Aa",
            "Aa(BB",
            "BB(BB",
            "",
            ".",
            "..",
            "a/b",
            "a\ud800",
            "a\ud801",
            "x".repeat(300),
            "x".repeat(301),
            Links.file("Redis"));
    assertThat(names.stream().map(Links::file))
        .doesNotHaveDuplicates()
        .allMatch(file -> file.matches("[a-z0-9.-]{1,140}") && !file.startsWith("."));
    assertThat(Links.file("redis")).isEqualTo("redis");
    assertThat(Links.file("redis 7")).matches("redis-7-[0-9a-f]{32}");
  }
}
