package kvrank.scenario.read.ycsb;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/ycsb.md}, and that its table has every property of YCSB. */
class YcsbPageTest {

  private static final Path PAGE = TestHome.PROJECT.resolve("docs/reference/ycsb.md");

  private static final String INTRODUCTION =
      """
      # YCSB property files

      <!-- YcsbPageTest writes this page. -->
      `workload: {ycsb: FILE}` in a [scenario](yaml.md#ycsb-workloads) reads a property file of YCSB 0.17 \
      or of a tool with the same properties. kvrank applies, ignores or refuses each property. A name \
      that is not in this table is a problem, except `binding.option`: that is ignored, too, unless it is a \
      name of the table without its dots. `./kvrank plan` lists the ignored ones, and shows the mix, keys and values that the file became.

      `-p KEY=VALUE` replaces a property in all YCSB files of the scenario.

      | property | kvrank | |
      |---|---|---|
      """;

  @Test
  void thePageIsThatOfTheTable() throws IOException {
    String page = INTRODUCTION;
    for (YcsbProperty row : YcsbProperty.ALL) {
      String names = row.names().stream().map("`%s`"::formatted).collect(joining(", "));
      page += "| %s | %s | %s |\n".formatted(names, row.treatment().label(), row.sentence());
    }
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(page).as("rewrite it with -Dkvrank.rewrite=true").isEqualTo(Files.readString(PAGE));
  }

  /** The constants that name properties; others are defaults, spans of a trace and class names. */
  @Test
  void theTableHasEveryPropertyOfYcsbsCore() throws Exception {
    SortedSet<String> properties = new TreeSet<>();
    for (Class<?> type : classes()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())
            && field.getType() == String.class
            && !field.getName().matches(".*(DEFAULT|DEAFULT|_SPAN|PREFIX|DELIMITER).*|TABLE")) {
          field.setAccessible(true);
          String value = String.valueOf(field.get(null));
          if (value.matches("[a-z][a-z._]{2,}")) {
            properties.add(value);
          }
        }
      }
    }
    assertThat(properties)
        .hasSizeGreaterThan(80)
        .contains("readproportion", "core_workload_insertion_retry_limit", "exponential.frac");
    assertThat(properties).allSatisfy(name -> assertThat(YcsbProperty.of(name)).isPresent());
  }

  private static List<Class<?>> classes() throws Exception {
    // By name, because this module does not compile against YCSB.
    Class<?> any = Class.forName("site.ycsb.Workload");
    URI jar = any.getProtectionDomain().getCodeSource().getLocation().toURI();
    List<Class<?>> classes = new ArrayList<>();
    try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + jar), Map.of());
        Stream<Path> all = Files.walk(files.getPath("/site/ycsb"))) {
      for (String file : all.map(Path::toString).filter(f -> f.endsWith(".class")).toList()) {
        String name = file.substring(1).replaceFirst("\\.class$", "").replace('/', '.');
        // These need packages that are not on the class path.
        if (!name.matches(
            ".*\\.(Client(Thread)?|DBWrapper|DBFactory|CommandLine|JSON\\w+)(\\$.*)?")) {
          classes.add(Class.forName(name, false, any.getClassLoader()));
        }
      }
    }
    return classes;
  }

  @Test
  void noPropertyHasTwoRows() {
    List<String> names = YcsbProperty.ALL.stream().flatMap(row -> row.names().stream()).toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(YcsbProperty.meant())
        .isEqualTo(
            YcsbProperty.ALL.stream()
                .filter(row -> row.treatment() == YcsbProperty.Treatment.APPLIED)
                .flatMap(row -> row.names().stream())
                .collect(toCollection(TreeSet::new)));
  }
}
