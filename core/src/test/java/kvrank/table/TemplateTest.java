package kvrank.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TemplateTest {

  private static final Map<String, String> VALUES =
      Map.of("phase", "get", "threads", "8", "value-bytes", "4,096", "odd", "1000");

  private static final Map<String, String> FILLED =
      Map.of(
          "{phase} by {threads}", "get by 8",
          "{batch}", "-",
          "{phase:upper}", "GET",
          "{value-bytes:size}, {odd:size}, {phase:size}", "4 KiB, 1000 B, get",
          "a[, batch {batch}][, threads {threads}]", "a, threads 8",
          "[{batch} and {threads}|{threads}|none]", "8",
          "[{batch}|none]", "none",
          "nothing[ {batch}]", "nothing");

  @TestFactory
  Stream<DynamicTest> placeholdersAndAlternativesAreFilled() {
    return FILLED.entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey(),
                    () -> {
                      assertThat(Template.balanced(each.getKey())).isTrue();
                      assertThat(
                              Template.fill(
                                  each.getKey(),
                                  "-",
                                  name -> Optional.ofNullable(VALUES.get(name))))
                          .isEqualTo(each.getValue());
                    }));
  }

  @Test
  void halvesAreNotBalanced() {
    assertThat(List.of("{phase", "phase}", "[a", "a]", "[a[b]]", "{a{b}}"))
        .noneMatch(Template::balanced);
  }

  @Test
  void valuesAreNotTemplates() {
    assertThat(Template.fill("{a}", "-", name -> Optional.of("$1 {b} [c]")))
        .isEqualTo("$1 {b} [c]");
  }
}
