package kvrank.results;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/** kvrank's JSON files: indented, versioned, and written whole or not at all. */
public final class Json {

  /** The version of the files that this build writes, and the newest that it reads. */
  static final String SCHEMA = "2.0";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .addModule(new SimpleModule().addDeserializer(double.class, new Finite()))
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .build();

  private Json() {}

  /** Refuses what no measurement gives: {@code 1e999} would be read as infinite. */
  private static final class Finite extends StdScalarDeserializer<Double> {

    Finite() {
      super(double.class);
    }

    @Override
    public Double deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken().isNumeric() && Double.isFinite(parser.getDoubleValue())) {
        return parser.getDoubleValue();
      }
      throw context.weirdStringException(parser.getString(), double.class, "not a finite number");
    }
  }

  /** Returns {@code value} as a file of a report holds it. */
  public static String text(Object value) {
    return MAPPER.writeValueAsString(value) + "\n";
  }

  /** Writes {@code text} to the device: what is renamed before it is there may be empty later. */
  static void writeThrough(Path file, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        // On a full disk it writes what fits, and fails at the next.
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Returns {@code value} as a file of results holds it, with its {@code schema}. */
  public static String file(Object value) {
    ObjectNode versioned = MAPPER.createObjectNode().put("schema", SCHEMA);
    versioned.setAll((ObjectNode) MAPPER.valueToTree(value));
    return text(versioned);
  }

  /** Writes by a temporary file and a rename, so that a reader never sees half of it. */
  static void write(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    writeThrough(temporary, text);
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads a file whose {@code schema} has the major version of {@link #SCHEMA} or an older one.
   *
   * @throws UnreadableException if it is broken, or newer than this build
   */
  static <T> T read(Path file, Class<T> type) throws UnreadableException {
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      String schema = schema(text);
      if (schema.isEmpty()) {
        throw new UnreadableException(file + ": has no 'schema', so it is not a file of kvrank");
      }
      if (major(schema) > major(SCHEMA)) {
        throw new UnreadableException(
            "%s: schema %s is newer than this kvrank reads (%s); use a newer kvrank"
                .formatted(file, schema, SCHEMA));
      }
      return MAPPER.readValue(text, type);
    } catch (IOException e) {
      throw new UnreadableException(file + ": cannot be read: " + e.getMessage());
    } catch (JacksonException e) {
      TokenStreamLocation place = e.getLocation();
      String line = place == null || place.getLineNr() < 1 ? "" : ":" + place.getLineNr();
      throw new UnreadableException(
          "%s%s: broken or truncated: %s".formatted(file, line, e.getOriginalMessage()));
    }
  }

  /** The field {@code schema}, which comes first where kvrank wrote it; empty if there is none. */
  private static String schema(String text) {
    try (JsonParser parser = MAPPER.createParser(text)) {
      boolean object = parser.nextToken() == JsonToken.START_OBJECT;
      while (object && parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean found = parser.currentName().equals("schema");
        if (parser.nextToken().isScalarValue() && found) {
          return parser.getString();
        }
        parser.skipChildren();
      }
      return "";
    }
  }

  private static int major(String schema) throws UnreadableException {
    try {
      return Integer.parseInt(schema.substring(0, Math.max(0, schema.indexOf('.'))));
    } catch (NumberFormatException e) {
      throw new UnreadableException("schema '" + schema + "' is not a version such as 1.0");
    }
  }
}
