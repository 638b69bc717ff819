package kvrank.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Opens YAML files as nodes with positions; nothing is constructed from them. */
final class YamlFile {

  private static final int LARGEST_BYTES = 1 << 20;
  private static final int DEEPEST_NESTING = 20;

  private YamlFile() {}

  /**
   * Returns the root of a file; empty after a problem that keeps it from being read.
   *
   * @param shown the name that the user knows the file by
   */
  static Optional<YamlValue> open(Diagnostics reading, Path file, Path shown) {
    reading.opened(shown);
    String problem;
    try {
      String text = text(file);
      return parse(reading, text.startsWith("\uFEFF") ? text.substring(1) : text, shown);
    } catch (NoSuchFileException e) {
      problem = "the file does not exist";
    } catch (CharacterCodingException e) {
      problem = "the file is not UTF-8 text";
    } catch (IOException e) {
      problem = "the file cannot be read: " + e.getMessage();
    }
    SourceLocation.of(reading, shown, List.of()).report(problem);
    return Optional.empty();
  }

  /** Returns the text of a file that has a size that a person may have written. */
  static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LARGEST_BYTES + 1);
      if (bytes.length > LARGEST_BYTES) {
        throw new IOException("it is larger than 1 MiB");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
  }

  /** Returns the root of {@code text}, which the user knows as {@code shown}. */
  static Optional<YamlValue> parse(Diagnostics reading, String text, Path shown) {
    SourceLocation whole = SourceLocation.of(reading, shown, text.lines().toList());
    LoaderOptions limits = new LoaderOptions();
    limits.setCodePointLimit(LARGEST_BYTES);
    limits.setNestingDepthLimit(DEEPEST_NESTING);
    limits.setMaxAliasesForCollections(10);
    limits.setAllowRecursiveKeys(false);
    try {
      // What Yaml.compose does; a Yaml makes all that would construct objects as well.
      ParserImpl parser = new ParserImpl(new StreamReader(text), limits);
      Node root = new Composer(parser, new Untyped(), limits).getSingleNode();
      if (root != null) {
        return Optional.of(new YamlValue(root, whole.at(root.getStartMark(), "")));
      }
      whole.report("the file is empty");
    } catch (MarkedYAMLException e) {
      String context = e.getContext() == null ? "" : " (" + e.getContext().strip() + ")";
      whole
          .at(e.getProblemMark(), "")
          .report("not valid YAML: " + e.getProblem().strip() + context);
    } catch (YAMLException e) {
      whole.report("not valid YAML: " + String.join(" ", e.getMessage().lines().toList()));
    }
    return Optional.empty();
  }

  /** Knows no types but that of nothing, since scalars are read as they are written. */
  private static final class Untyped extends Resolver {

    @Override
    protected void addImplicitResolvers() {}

    @Override
    public Tag resolve(NodeId kind, String value, boolean implicit) {
      boolean nothing = kind == NodeId.scalar && implicit && value.isEmpty();
      return nothing ? Tag.NULL : super.resolve(kind, value, implicit);
    }
  }
}
