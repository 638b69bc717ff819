package kvrank.scenario;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import kvrank.scenario.EngineDefinition.Exchange;
import kvrank.scenario.EngineDefinition.ServerDefinition;

/** Reads the {@code server} of an {@code engine.yaml}. */
final class ServerReader {

  private ServerReader() {}

  static ServerDefinition server(YamlMap section) {
    Optional<Container> container =
        section.optional("container").flatMap(e -> e.section(ServerReader::container));
    return new ServerDefinition(
        section.required("port").flatMap(e -> e.integer(1, 65_535)).orElse(1L).intValue(),
        container.flatMap(Container::image),
        container.flatMap(Container::data).orElse("/data"),
        container.map(Container::entrypoint).orElse(List.of()),
        section
            .optional("process")
            .flatMap(e -> e.section(ServerReader::executable))
            .flatMap(executable -> executable),
        EngineReader.texts(section, "bundled"),
        EngineReader.list(section, "arguments"),
        EngineReader.list(section, "setting"),
        section
            .optional("files")
            .flatMap(e -> e.section(ServerReader::files))
            .orElseGet(Collections::emptySortedMap),
        section
            .required("ready")
            .flatMap(e -> e.section(each -> exchange(each, false)))
            .orElse(new Exchange("", "")),
        section
            .optional("facts")
            .flatMap(e -> e.section(ServerReader::facts))
            .orElseGet(Collections::emptySortedMap),
        section
            .optional("reports")
            .flatMap(e -> e.section(ServerReader::facts))
            .orElseGet(Collections::emptySortedMap));
  }

  private record Container(
      Optional<String> image, Optional<String> data, List<String> entrypoint) {}

  private static Container container(YamlMap section) {
    return new Container(
        section.required("image").flatMap(YamlValue::text),
        section.optional("data").flatMap(YamlValue::text),
        EngineReader.list(section, "entrypoint"));
  }

  private static Optional<String> executable(YamlMap section) {
    return section.required("executable").flatMap(YamlValue::text);
  }

  private static SortedMap<String, String> files(YamlMap section) {
    section
        .all()
        .keySet()
        .forEach(
            name -> {
              if (name.startsWith("/") || name.contains("..")) {
                section.keyPlace(name).report("'" + name + "' is outside the data directory");
              }
            });
    return section.texts();
  }

  private static SortedMap<String, Exchange> facts(YamlMap section) {
    SortedMap<String, Exchange> result = new TreeMap<>();
    section
        .all()
        .forEach(
            (name, fact) ->
                fact.section(each -> exchange(each, true))
                    .ifPresent(exchange -> result.put(name, exchange)));
    return result;
  }

  private static Exchange exchange(YamlMap section, boolean hasValue) {
    Optional<YamlValue> match = section.required("match");
    Optional<String> expression = match.flatMap(YamlValue::text);
    expression.ifPresent(text -> checkExpression(match.orElseThrow(), text, hasValue));
    return new Exchange(
        section.required("send").flatMap(YamlValue::text).orElse(""), expression.orElse(""));
  }

  private static void checkExpression(YamlValue element, String expression, boolean hasValue) {
    try {
      if (hasValue && Pattern.compile(expression).matcher("").groupCount() == 0) {
        element.report("'" + expression + "' has no group; the first group is the fact's value");
      }
    } catch (PatternSyntaxException e) {
      element.report(
          "'%s' is not a regular expression: %s".formatted(expression, e.getDescription()));
    }
  }
}
