package kvrank.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesStyleTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));

  private static final Pattern ENGINES =
      Pattern.compile("^engines:\\s*\\[(.*?)\\]\\s*$", Pattern.MULTILINE | Pattern.DOTALL);

  /** A row with a name or options of its own, or its options. */
  private static final String ROW = "\\{[^{}]*\\}";

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "engine-" + i).toList();
  }

  @Test
  void sixtyEnginesHaveStylesOfTheirOwn() {
    assertThat(SeriesStyle.of(names(60)).values()).doesNotHaveDuplicates();
  }

  /** A report of more rows than styles never ended. */
  @Test
  void moreEnginesShareStyles() {
    Map<String, SeriesStyle> styles = SeriesStyle.of(names(1_000));

    assertThat(styles).hasSize(1_000);
    assertThat(styles.values().stream().distinct()).hasSize(100);
  }

  /** Returns the bundled engines of each scenario that lists its engines in one line of names. */
  private static Map<String, List<String>> scenarios() throws IOException {
    Map<String, List<String>> scenarios = new TreeMap<>();
    try (Stream<Path> files = Files.list(HOME.resolve("scenarios"))) {
      for (Path file : files.toList()) {
        ENGINES
            .matcher(Files.readString(file).replaceAll("#.*", ""))
            .results()
            .forEach(
                found ->
                    scenarios.put(
                        file.getFileName().toString(),
                        Stream.of(found.group(1).replaceAll(ROW, "").replaceAll(ROW, "").split(","))
                            .map(String::strip)
                            .filter(name -> !name.isEmpty())
                            .toList()));
      }
    }
    return scenarios;
  }

  /** Buntdb was brown on one page and violet on another. */
  @Test
  void anEngineHasOneColourInAllScenarios() throws IOException {
    Map<String, List<String>> scenarios = scenarios();
    assertThat(scenarios).containsKeys("quick.yaml", "choose.yaml", "embedded.yaml", "cache.yaml");
    Map<String, SeriesStyle> everywhere = new HashMap<>();
    scenarios.forEach(
        (file, engines) -> {
          Map<String, SeriesStyle> styles = SeriesStyle.of(engines);
          styles.forEach(
              (engine, style) ->
                  assertThat(everywhere.computeIfAbsent(engine, any -> style))
                      .as("%s in %s", engine, file)
                      .isEqualTo(style));
          assertThat(styles.values()).as(file).doesNotHaveDuplicates();
          if (engines.size() <= SeriesStyle.COLORS) {
            assertThat(styles.values())
                .extracting(SeriesStyle::color)
                .as(file)
                .doesNotHaveDuplicates();
          }
        });
  }

  @Test
  void aRowOfAnotherNameTakesNoColourOfAKnownEngine() {
    Map<String, SeriesStyle> styles = SeriesStyle.of(List.of("btree-memory", "btree", "redis-x"));
    assertThat(styles.get("btree")).isEqualTo(SeriesStyle.of(List.of("btree")).get("btree"));
    assertThat(styles.values()).extracting(SeriesStyle::color).doesNotHaveDuplicates();
    assertThat(SeriesStyle.of(names(SeriesStyle.COLORS)).values())
        .extracting(SeriesStyle::color)
        .doesNotHaveDuplicates();
  }

  /** Readers who see no red or no green need a difference, too; here of CIE 1976 in L*a*b*. */
  @ParameterizedTest
  @ValueSource(strings = {"light.css", "dark.css"})
  void coloursDifferFromEachOtherAndFromThePaper(String palette) {
    String css = Theme.resource(Theme.class, palette);
    List<double[]> colors = new ArrayList<>();
    for (int i = 0; i < SeriesStyle.COLORS; i++) {
      colors.add(rgb(css, "--s" + i));
    }
    colors.add(rgb(css, "--paper"));
    for (double[][] vision : VISIONS) {
      for (int i = 0; i < colors.size(); i++) {
        for (int j = i + 1; j < colors.size(); j++) {
          double least = vision == VISIONS[0] ? 16 : 5;
          assertThat(distance(seen(colors.get(i), vision), seen(colors.get(j), vision)))
              .as("%s: %d and %d", palette, i, j)
              .isGreaterThan(least);
        }
      }
    }
  }

  /**
   * How all colours, and those without red and without green, are seen: G. M. Machado and others,
   * "A physiologically-based model for simulation of color vision deficiency", IEEE Transactions on
   * Visualization and Computer Graphics 15, 2009.
   */
  private static final double[][][] VISIONS = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {
      {0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}
    },
    {
      {0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}
    }
  };

  /** Returns a colour in linear light. */
  private static double[] rgb(String css, String name) {
    var found = Pattern.compile(name + ": #([0-9a-f]{6});").matcher(css);
    assertThat(found.find()).as(name).isTrue();
    int hex = Integer.parseInt(found.group(1), 16);
    return IntStream.of(hex >> 16, hex >> 8 & 255, hex & 255)
        .mapToDouble(channel -> channel / 255.0)
        .map(c -> c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4))
        .toArray();
  }

  private static double[] seen(double[] rgb, double[][] vision) {
    double[] seen = multiplied(vision, rgb);
    double[][] toXyz = {
      {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}
    };
    for (int i = 0; i < seen.length; i++) {
      seen[i] = Math.max(0, Math.min(1, seen[i]));
    }
    double[] xyz = multiplied(toXyz, seen);
    double x = root(xyz[0] / 0.9505);
    double y = root(xyz[1]);
    double z = root(xyz[2] / 1.089);
    return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
  }

  private static double root(double t) {
    return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116.0;
  }

  private static double[] multiplied(double[][] matrix, double[] vector) {
    double[] product = new double[matrix.length];
    for (int i = 0; i < matrix.length; i++) {
      for (int j = 0; j < vector.length; j++) {
        product[i] += matrix[i][j] * vector[j];
      }
    }
    return product;
  }

  private static double distance(double[] one, double[] other) {
    double squares = 0;
    for (int i = 0; i < one.length; i++) {
      squares += (one[i] - other[i]) * (one[i] - other[i]);
    }
    return Math.sqrt(squares);
  }
}
