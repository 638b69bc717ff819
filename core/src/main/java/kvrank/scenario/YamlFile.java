package kvrank.scenario;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Opens YAML files as nodes with positions; nothing is constructed from them. */
final class YamlFile {

  private static final int LARGEST_FILE_CHARACTERS = 1 << 20;
  private static final int DEEPEST_NESTING = 20;

  private YamlFile() {}

  /**
   * Returns the root of a file; empty after a problem that keeps it from being read.
   *
   * @param shown the name that the user knows the file by
   */
  static Optional<YamlValue> open(Diagnostics reading, Path file, Path shown) {
    reading.opened(shown);
    SourceLocation whole = SourceLocation.of(reading, Source.of(shown));
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      whole.report("the file does not exist");
      return Optional.empty();
    } catch (CharacterCodingException e) {
      whole.report("the file is not UTF-8 text");
      return Optional.empty();
    } catch (IOException e) {
      whole.report("the file cannot be read: " + e.getMessage());
      return Optional.empty();
    }
    return parse(reading, text.startsWith("\uFEFF") ? text.substring(1) : text, shown);
  }

  /** Returns the root of {@code text}, which the user knows as {@code shown}. */
  static Optional<YamlValue> parse(Diagnostics reading, String text, Path shown) {
    SourceLocation whole = SourceLocation.of(reading, new Source(shown, text.lines().toList()));
    try {
      // What Yaml.compose does; a Yaml makes all that would construct objects as well.
      LoaderOptions limits = limits();
      ParserImpl parser = new ParserImpl(new StreamReader(text), limits);
      Node root = new Composer(parser, new Resolver(), limits).getSingleNode();
      if (root == null) {
        whole.report("the file is empty");
        return Optional.empty();
      }
      return Optional.of(new YamlValue(root, whole.at(root.getStartMark(), ""), ""));
    } catch (MarkedYAMLException e) {
      whole.at(e.getProblemMark(), "").report(syntax(e));
    } catch (YAMLException e) {
      whole.report("not valid YAML: " + String.join(" ", e.getMessage().lines().toList()));
    }
    return Optional.empty();
  }

  private static String syntax(MarkedYAMLException e) {
    String context = e.getContext() == null ? "" : " (" + e.getContext().strip() + ")";
    return "not valid YAML: " + e.getProblem().strip() + context;
  }

  private static LoaderOptions limits() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(LARGEST_FILE_CHARACTERS);
    options.setNestingDepthLimit(DEEPEST_NESTING);
    options.setMaxAliasesForCollections(10);
    options.setAllowRecursiveKeys(false);
    return options;
  }
}
