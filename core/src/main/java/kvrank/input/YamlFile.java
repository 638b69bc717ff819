package kvrank.input;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import kvrank.input.InputFile.NotTextException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Opens YAML files as nodes with positions, without constructing Java objects. */
public final class YamlFile {

  public static final int LARGEST_MEBIBYTES = 1;

  private static final int DEEPEST_NESTING = 20;
  private static final int MOST_ALIASES = 10;

  private YamlFile() {}

  /** Returns the root of a file, named {@code shown} in messages; empty after a problem. */
  public static Optional<YamlValue> open(Diagnostics reading, Path file, Path shown) {
    reading.opened(shown);
    String problem;
    try {
      String text = InputFile.text(file, LARGEST_MEBIBYTES);
      return parse(reading, text.startsWith("\uFEFF") ? text.substring(1) : text, shown);
    } catch (NoSuchFileException e) {
      problem = "the file does not exist";
    } catch (NotTextException e) {
      SourceLocation.of(reading, shown, e.before().lines().toList())
          .after(e.before())
          .report("the file is not UTF-8 text");
      return Optional.empty();
    } catch (IOException e) {
      problem = "the file cannot be read: " + Reason.of(e);
    }
    SourceLocation.of(reading, shown, List.of()).report(problem);
    return Optional.empty();
  }

  /** Returns the root of {@code text}, named {@code shown} in messages; empty after a problem. */
  public static Optional<YamlValue> parse(Diagnostics reading, String text, Path shown) {
    SourceLocation whole = SourceLocation.of(reading, shown, text.lines().toList());
    LoaderOptions limits = new LoaderOptions();
    limits.setCodePointLimit(LARGEST_MEBIBYTES << 20);
    limits.setNestingDepthLimit(DEEPEST_NESTING);
    limits.setMaxAliasesForCollections(MOST_ALIASES);
    limits.setAllowRecursiveKeys(false);
    try {
      // As Yaml.compose does, without the constructor and the representer that a Yaml creates.
      ParserImpl parser = new ParserImpl(new StreamReader(text), limits);
      Node root = new Tree(parser, limits).getSingleNode();
      if (root != null) {
        return Optional.of(new YamlValue(root, whole.at(root.getStartMark(), "")));
      }
      whole.report("the file is empty");
    } catch (MarkedYAMLException e) {
      String context = e.getContext() == null ? "" : " (" + e.getContext().strip() + ")";
      whole
          .at(e.getProblemMark(), "")
          .report("not valid YAML: " + e.getProblem().strip() + context);
    } catch (ReaderException e) {
      int index = 0;
      while (StreamReader.isPrintable(text.codePointAt(index))) {
        index += Character.charCount(text.codePointAt(index));
      }
      whole
          .after(text.substring(0, index))
          .report("not valid YAML: the character U+%04X is not allowed", text.codePointAt(index));
    } catch (YAMLException e) {
      whole
          .at(beyondLimits(text), "")
          .report("not valid YAML: " + String.join(" ", e.getMessage().lines().toList()));
    }
    return Optional.empty();
  }

  /** Returns where {@code text} exceeds the depth or the number of aliases; null if nowhere. */
  private static Mark beyondLimits(String text) {
    Parser events = new ParserImpl(new StreamReader(text), new LoaderOptions());
    Set<String> collections = new HashSet<>();
    int depth = 0;
    int aliases = 0;
    while (!events.checkEvent(Event.ID.StreamEnd)) {
      Event event = events.getEvent();
      if (event instanceof CollectionStartEvent start) {
        depth++;
        collections.add(start.getAnchor());
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      } else if (event instanceof AliasEvent alias && collections.contains(alias.getAnchor())) {
        aliases++;
      }
      if (depth > DEEPEST_NESTING || aliases > MOST_ALIASES) {
        return event.getStartMark();
      }
    }
    return null;
  }

  /** Refuses nodes that contain themselves. */
  private static final class Tree extends Composer {

    Tree(Parser parser, LoaderOptions limits) {
      super(parser, new Untyped(), limits);
    }

    @Override
    protected Node composeSequenceNode(String anchor) {
      return finite(super.composeSequenceNode(anchor));
    }

    @Override
    protected Node composeMappingNode(String anchor) {
      return finite(super.composeMappingNode(anchor));
    }

    private static Node finite(Node node) {
      if (node.isTwoStepsConstruction()) {
        String problem = "the node with anchor " + node.getAnchor() + " contains itself";
        throw new MarkedYAMLException(null, null, problem, node.getStartMark()) {};
      }
      return node;
    }
  }

  /** Gives scalars no type, except for a missing value: they are read as written. */
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
