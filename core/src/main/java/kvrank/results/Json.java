package kvrank.results;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import kvrank.fact.Facts;
import kvrank.input.Excerpt;
import kvrank.input.InputFile;
import kvrank.input.Reason;
import kvrank.results.UnreadableException.NewerException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** kvrank's JSON files: indented, versioned, and replaced atomically. */
public final class Json {

  /** The version that this build writes, and the newest that it reads. */
  static final String SCHEMA = "2.0";

  private static final int MAJOR = Integer.parseInt(SCHEMA.substring(0, SCHEMA.indexOf('.')));

  /** Texts that some libraries read as numbers. */
  private static final Set<String> NOT_NUMBERS =
      Set.of("NaN", "Infinity", "+Infinity", "-Infinity", "INF", "+INF", "-INF");

  /** Jackson's message about a value that is null or missing, with its advice to programmers. */
  private static final String MISSING =
      "(?s)^(?:Null value for|Missing required) creator property '([^']*)'.*";

  /** Jackson's advice to programmers at the end of a message. */
  private static final String ADVICE = "(: enable `| \\(but (?:could|might) ).*";

  /** The size limit of a file of results, in MiB. */
  static final int LARGEST_MEBIBYTES = 64;

  /** Lines of a CSV file. */
  private static final int MOST_LINES = 500_000;

  private static final int LONGEST_QUOTE = 300;

  /** The numbers at the top level that may be negative. */
  private static final Set<String> SEEDS = Set.of("seed", "orderSeed");

  /** The files beside the folder {@code runs}. */
  private static final Set<String> ROOT =
      Set.of("plan.json", "environment.json", "scenario.yaml", "tunings.json");

  /** The folders below a results folder: {@code runs/RUN/generators/NUMBER}. */
  private static final int DEEPEST = 4;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .addMixIn(Facts.class, FactsMixIn.class)
          .addModule(new SimpleModule().addDeserializer(String.class, new SharedTexts()))
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .build();

  private Json() {}

  private abstract static class FactsMixIn {

    @JsonCreator
    static Facts of(Map<String, String> values) {
      return Facts.of(values);
    }

    @JsonValue
    abstract SortedMap<String, String> asMap();
  }

  /**
   * Returns {@code value} as UTF-8 JSON without a version, as in reports. It may be large, so it is
   * never a string.
   */
  public static byte[] bytes(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    MAPPER.writeValue(new Escaping(new OutputStreamWriter(bytes, StandardCharsets.UTF_8)), value);
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** Escapes characters that Jackson leaves as they are, though a terminal acts on them. */
  private static final class Escaping extends Writer {

    private final Writer out;

    Escaping(Writer out) {
      this.out = out;
    }

    @Override
    public void write(char[] text, int start, int length) throws IOException {
      int from = start;
      for (int i = start; i < start + length; i++) {
        if (text[i] >= 0x7F && unprintable(text[i])) { // seldom
          out.write(text, from, i - from);
          out.write("\\u%04x".formatted((int) text[i]));
          from = i + 1;
        }
      }
      out.write(text, from, start + length - from);
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  /** Returns whether it is a control character, or one that hides or moves text. */
  private static boolean unprintable(char c) {
    return c >= 0x7F
        && (c <= 0x9F
            || c == 0x00AD
            || c == 0x061C
            || c == 0x200B
            || c == 0x200E
            || c == 0x200F
            || (c >= 0x2028 && c <= 0x202E)
            || (c >= 0x2066 && c <= 0x2069));
  }

  /** Returns {@code value} as JSON in one line, as in pages. */
  public static String compact(Object value) {
    return MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
  }

  /**
   * Returns a file of results with other texts: {@code text} maps each text value with the name of
   * its field, and each name of a field with an empty one.
   *
   * @throws UnreadableException if the file is broken
   */
  public static String withTexts(Path file, BinaryOperator<String> text)
      throws UnreadableException {
    JsonNode changed = withTexts("", read(file, JsonNode.class), text);
    return new String(bytes(changed), StandardCharsets.UTF_8);
  }

  private static JsonNode withTexts(String field, JsonNode node, BinaryOperator<String> text) {
    if (node instanceof ObjectNode) {
      ObjectNode changed = MAPPER.createObjectNode();
      for (Map.Entry<String, JsonNode> each : node.properties()) {
        String name = text.apply("", each.getKey());
        while (changed.has(name)) {
          name += "'"; // two names may become one
        }
        changed.set(name, withTexts(each.getKey(), each.getValue(), text));
      }
      return changed;
    }
    if (node instanceof ArrayNode) {
      ArrayNode changed = MAPPER.createArrayNode();
      node.forEach(each -> changed.add(withTexts(field, each, text)));
      return changed;
    }
    return node.isString() ? StringNode.valueOf(text.apply(field, node.stringValue())) : node;
  }

  /** Writes a new file and syncs it: one renamed before that may be empty after a crash. */
  static void writeThrough(Path file, String text) throws IOException {
    Files.deleteIfExists(file); // it may be a link or a pipe
    try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE)) {
      Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
      channel.force(true);
    }
  }

  /** Returns {@code value} as JSON with its {@code schema}, as in results. */
  public static String file(Object value) {
    ObjectNode versioned = MAPPER.createObjectNode().put("schema", SCHEMA);
    versioned.setAll((ObjectNode) MAPPER.valueToTree(value));
    return new String(bytes(versioned), StandardCharsets.UTF_8);
  }

  /** Replaces {@code file} atomically. */
  static void write(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    writeThrough(temporary, text);
    Files.move(temporary, file, ATOMIC_MOVE, REPLACE_EXISTING);
  }

  /** Reads a file; throws if it is broken or its major version is too new. */
  static <T> T read(Path file, Class<T> type) throws UnreadableException {
    String text = text(file);
    if (!text.startsWith("{") && !text.isEmpty()) {
      // Without an excerpt: it may be any file.
      throw new UnreadableException(file + ": broken: it does not begin with '{', as JSON does");
    }
    try {
      check(file, text);
      return MAPPER.readValue(text, type);
    } catch (JacksonException e) {
      throw broken(file, text, e);
    }
  }

  /** Returns the text of any file of results. */
  public static String text(Path file) throws UnreadableException {
    try {
      return unlinkedText(file);
    } catch (IOException e) {
      throw new UnreadableException(file + ": cannot be read: " + Reason.of(e));
    }
  }

  /** Returns the text; throws if the file, or a folder from {@code runs} to it, is a link. */
  static String unlinkedText(Path file) throws IOException {
    Path folder = file.getParent();
    for (int depth = 0; depth < DEEPEST && folder != null && !ROOT.contains(name(file)); depth++) {
      if (Files.isSymbolicLink(folder)) {
        throw new IOException(
            "the folder '%s' is a link, which is not followed; put the folder itself there"
                .formatted(folder));
      }
      folder = name(folder).equals("runs") ? null : folder.getParent();
    }
    return InputFile.textOfNoLink(file, LARGEST_MEBIBYTES);
  }

  private static String name(Path path) {
    return path.getFileName() == null ? "" : path.getFileName().toString();
  }

  /** Returns the lines of a CSV file. */
  static List<String> lines(Path file) throws UnreadableException {
    List<String> lines = text(file).lines().limit(MOST_LINES + 1L).toList();
    if (lines.size() > MOST_LINES) {
      throw new UnreadableException("%s: has more than %,d lines".formatted(file, MOST_LINES));
    }
    return lines;
  }

  static UnreadableException brokenLine(Path file, int number, String line) {
    return new UnreadableException(
        "%s:%d: broken or truncated: '%s'".formatted(file, number, shortened(line)));
  }

  /** Returns the start of a text that a stranger may have written. */
  static String shortened(String text) {
    return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE - 1) + "…";
  }

  private static UnreadableException broken(Path file, String text, JacksonException e) {
    TokenStreamLocation place = e.getLocation();
    int line = place == null ? 0 : Math.max(0, place.getLineNr());
    int column = place == null ? 0 : Math.max(0, place.getColumnNr());
    String pointer =
        e.getPath().stream()
            .map(
                reference ->
                    "/" + requireNonNullElse(reference.getPropertyName(), reference.getIndex()))
            .collect(Collectors.joining());
    if (e.processor() instanceof JsonParser parser && pointer.isEmpty()) {
      pointer = parser.streamReadContext().pathAsPointer().toString();
    }
    String path = path(pointer);
    String message =
        new Excerpt(text.lines().toList(), line, column)
            .message(
                e.getOriginalMessage()
                    .replaceFirst(MISSING, "'$1' is missing")
                    .replaceFirst(ADVICE, "")
                    .replaceAll("\\s", " "));
    return new UnreadableException(
        "%s%s: %sbroken or truncated: %s"
            .formatted(
                file, line == 0 ? "" : ":" + line, path.isEmpty() ? "" : path + ": ", message));
  }

  /** Returns a path as in messages about scenarios, for example {@code phases[0].name}. */
  private static String path(String pointer) {
    return pointer.replaceAll("/(\\d+)(?=/|$)", "[$1]").replace('/', '.').replaceFirst("^\\.", "");
  }

  /** Rejects files of newer versions and numbers that no measurement yields. */
  private static void check(Path file, String text) throws UnreadableException {
    boolean versioned = false;
    try (JsonParser parser = MAPPER.createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        boolean first = parser.streamReadContext().getNestingDepth() == 1;
        if (first && token.isScalarValue() && "schema".equals(parser.currentName())) {
          versioned = true;
          requireOld(file, parser.getString());
        } else if (token.isNumeric() || NOT_NUMBERS.contains(parser.getString())) {
          String problem = problem(parser, first);
          // Computed only for problems: the path takes longer than all other checks.
          String key =
              problem.isEmpty() ? "" : parser.streamReadContext().pathAsPointer().toString();
          if (!problem.isEmpty() && (token.isNumeric() || !key.contains("/facts/"))) {
            throw new UnreadableException(
                "%s:%d: %s: '%s' is %s"
                    .formatted(
                        file,
                        parser.currentTokenLocation().getLineNr(),
                        path(key),
                        parser.getString(),
                        problem));
          }
        }
      }
    }
    if (!versioned) {
      throw new UnreadableException(file + ": has no 'schema', so it is not a file of kvrank");
    }
  }

  /** Returns the problem of a number, {@code first} for one at the top level; empty if none. */
  private static String problem(JsonParser parser, boolean first) {
    boolean whole = parser.currentToken() == JsonToken.VALUE_NUMBER_INT;
    if (!parser.currentToken().isNumeric() || !Double.isFinite(parser.getDoubleValue())) {
      return "not a finite number";
    } else if (!whole && first) {
      // Top-level numbers are counts; Jackson does not report a line for these keys.
      return "not a whole number";
    } else if (parser.getDoubleValue() < 0 && !(first && SEEDS.contains(parser.currentName()))) {
      return "too small; it must be at least 0";
    }
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? "too large; it must be at most " + Long.MAX_VALUE
        : "";
  }

  private static void requireOld(Path file, String schema) throws UnreadableException {
    int major;
    try {
      major = Integer.parseInt(schema.substring(0, Math.max(0, schema.indexOf('.'))));
    } catch (NumberFormatException e) {
      throw new UnreadableException(
          "%s: schema '%s' is not a version such as 1.0".formatted(file, schema));
    }
    if (major > MAJOR) {
      throw new NewerException(
          "%s: schema %s is newer than this kvrank reads (%s); use a newer kvrank"
              .formatted(file, schema, SCHEMA));
    }
  }
}
