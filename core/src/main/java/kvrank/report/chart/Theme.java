package kvrank.report.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The style sheet of charts, {@code chart.css}, with light and dark colours. */
public final class Theme {

  private static final Pattern COLOR = Pattern.compile("(--[a-z0-9-]+):\\s*([^;]+);");
  private static final Pattern USE = Pattern.compile("var\\((--[a-z0-9-]+)\\)");

  private Theme() {}

  /** Returns the rules of charts, with colours as custom properties for light and dark. */
  public static String css() {
    return ":root {\n%s}\n@media screen and (prefers-color-scheme: dark) {\n:root {\n%s}\n}\n%s"
        .formatted(resource("light.css"), resource("dark.css"), resource("chart.css"));
  }

  /** Returns light rules for a renderer with limited CSS support. */
  static String plain() {
    return with("light.css")
        .replaceAll("font-family: [^;]+;", "font-family: SansSerif;")
        .replace("font-weight: 600", "font-weight: bold");
  }

  /** Returns light rules, and dark ones for readers who prefer these. */
  static String adaptive() {
    String dark = "@media (prefers-color-scheme: dark) {\n" + with("dark.css") + "}\n";
    return with("light.css") + dark;
  }

  /** Returns the rules with colours instead of custom properties, which few viewers support. */
  private static String with(String palette) {
    Map<String, String> colors = new TreeMap<>();
    COLOR
        .matcher(resource(palette))
        .results()
        .forEach(color -> colors.put(color.group(1), color.group(2).strip()));
    return USE.matcher(resource("chart.css"))
        .replaceAll(use -> Matcher.quoteReplacement(colors.getOrDefault(use.group(1), "none")));
  }

  private static String resource(String name) {
    return resource(Theme.class, name);
  }

  /** Returns the text of the resource {@code name} in the package of {@code user}. */
  public static String resource(Class<?> user, String name) {
    try (InputStream in = Objects.requireNonNull(user.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
