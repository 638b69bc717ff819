package kvrank.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the docs and its fenced blocks. A comment before a block says what the tests do with
 * it:
 *
 * <ul>
 *   <li>{@code <!-- test: file NAME -->}: the block is a file, which later blocks of the page use
 *   <li>{@code <!-- test: part of FILE -->}: the block replaces keys of a YAML file
 *   <li>{@code <!-- test: add OPTIONS -->}: appended to each {@code ./kvrank run}, to make it short
 *   <li>{@code <!-- test: not run, REASON -->}: its options are checked, no more
 *   <li>{@code <!-- test: may exit 1, REASON -->}: a short run may fail
 * </ul>
 */
record DocsPage(Path file, List<String> lines, List<Block> blocks) {

  private static final Path PROJECT = Path.of(System.getProperty("kvrank.home"));
  private static final Pattern FENCE = Pattern.compile("( *)```([a-z]*)");
  private static final Pattern MARKER = Pattern.compile(" *<!-- test: (.*) -->");
  private static final Pattern RUN = Pattern.compile("(\\./kvrank (run|plan) [^#]*?)( *#.*)?");

  /**
   * A fenced block.
   *
   * @param line the number of its first line
   * @param language what follows the fence; empty for output
   * @param markers what the comments before it say
   */
  record Block(int line, String language, List<String> markers, String text) {

    /** Returns the rest of the marker that starts with a word. */
    Optional<String> marker(String word) {
      return markers.stream()
          .filter(marker -> marker.startsWith(word + " "))
          .map(marker -> marker.substring(word.length() + 1))
          .findFirst();
    }

    /** Returns the lines of a shell block, its runs with the options that make them short. */
    Stream<String> commands() {
      return text.lines().map(this::shortened);
    }

    private String shortened(String line) {
      Matcher run = RUN.matcher(line);
      if (!run.matches()) {
        return line;
      }
      return run.group(1)
          + (run.group(2).equals("run") ? " --no-wait " : " ")
          + marker("add").orElse("")
          + (marker("may exit 1,").isPresent() ? " || [ $? = 1 ]" : "");
    }

    @Override
    public String toString() {
      return "line %d: %s".formatted(line, text.lines().findFirst().orElse(""));
    }
  }

  /** Returns the pages whose blocks are tested: README, tutorial, how-to and validation pages. */
  static List<DocsPage> guides() throws IOException {
    return all().stream()
        .filter(
            page ->
                page.toString().matches("README.md|docs/(tutorial.md|how-to/.*|explanation/.*)"))
        .toList();
  }

  /** Returns every page. */
  static List<DocsPage> all() throws IOException {
    List<DocsPage> pages = new ArrayList<>();
    try (Stream<Path> root = Files.list(PROJECT);
        Stream<Path> board = Files.list(PROJECT.resolve("board"));
        Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
      for (Path file :
          Stream.of(root, board, docs)
              .flatMap(files -> files)
              .filter(path -> path.toString().endsWith(".md"))
              .sorted()
              .toList()) {
        pages.add(read(file));
      }
    }
    return pages;
  }

  /** Returns the shell blocks that run. */
  List<Block> scripts() {
    return blocks.stream()
        .filter(block -> block.language().equals("sh"))
        .filter(block -> block.marker("not run,").isEmpty())
        .toList();
  }

  /** Returns the page in a file of the project. */
  static DocsPage read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    List<Block> blocks = new ArrayList<>();
    List<String> markers = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher marker = MARKER.matcher(lines.get(i));
      Matcher fence = FENCE.matcher(lines.get(i));
      if (marker.matches()) {
        markers.add(marker.group(1));
      } else if (fence.matches()) {
        int first = i + 2;
        StringBuilder text = new StringBuilder();
        while (!lines.get(++i).strip().equals("```")) {
          text.append(lines.get(i).replaceFirst("^" + fence.group(1), "")).append('\n');
        }
        blocks.add(new Block(first, fence.group(2), List.copyOf(markers), text.toString()));
        markers.clear();
      } else if (!markers.isEmpty()) {
        throw new IllegalStateException("%s:%d: no block follows the marker".formatted(file, i));
      }
    }
    return new DocsPage(file, lines, blocks);
  }

  /** Writes the page's files into a folder, which has no others of that kind. */
  void writeFiles(Path folder) throws IOException {
    for (Block block : blocks) {
      Optional<String> name = block.marker("file");
      if (name.isPresent()) {
        Path target = folder.resolve(name.get());
        Files.createDirectories(target.getParent());
        Files.writeString(target, block.text(), StandardCharsets.UTF_8);
      }
    }
  }

  /** Returns the path from the project. */
  @Override
  public String toString() {
    return PROJECT.relativize(file).toString();
  }
}
