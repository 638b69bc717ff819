package kvrank.workload.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import kvrank.workload.value.ValueSizes;

/**
 * The first {@value #BYTES} bytes of a trace's file: lines of text, the last with the CRC-32C of
 * the others, then spaces.
 *
 * @param source the imported file
 * @param timed whether requests have times
 * @param requests the number of requests
 * @param keys the number of different keys, numbered [0, keys)
 * @param loaded the number of records that existed before the first request
 * @param lengths the number of records of a known length before their first write
 * @param micros from the first request to the last
 * @param keyBytes the mean length of keys
 * @param sizes the lengths of values, written and loaded
 * @param loads the position in the file where requests end and those lengths start
 * @param end the length of the file, in bytes
 * @param digest the SHA-256 of everything after the header
 */
public record TraceHeader(
    String source,
    boolean timed,
    long requests,
    long keys,
    long loaded,
    long lengths,
    long micros,
    double keyBytes,
    ValueSizes sizes,
    long loads,
    long end,
    String digest) {

  static final int BYTES = 4096;

  private static final String MAGIC = "kvrank trace ";
  private static final String VERSION = "2";
  private static final String CHECK = "check ";

  byte[] bytes() {
    StringBuilder text = new StringBuilder(MAGIC + VERSION + "\n");
    line(text, "source", source);
    line(text, "timed", timed);
    line(text, "requests", requests);
    line(text, "keys", keys);
    line(text, "loaded", loaded);
    line(text, "lengths", lengths);
    line(text, "micros", micros);
    line(text, "key-bytes", keyBytes);
    List<String> bins =
        sizes.bins().stream().map(b -> b.min() + "-" + b.max() + "x" + b.weight()).toList();
    line(text, "value-bytes", String.join(",", bins));
    line(text, "loads", loads);
    line(text, "end", end);
    line(text, "digest", digest);
    line(text, CHECK.strip(), checksum(text.toString()));
    byte[] bytes = Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), BYTES);
    Arrays.fill(bytes, text.length(), BYTES, (byte) ' ');
    return bytes;
  }

  private static void line(StringBuilder text, String name, Object value) {
    text.append(name).append(' ').append(value).append('\n');
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return Long.toHexString(crc.getValue());
  }

  /**
   * Reads the header of {@code file}.
   *
   * @throws TraceException if it is not a trace, of another version, damaged, or too short or long
   */
  public static TraceHeader read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new TraceException(file + ": is a folder; name a file");
    }
    if (Files.notExists(file)) {
      throw new TraceException(file + ": there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new TraceException(file + ": is a pipe, socket or device; name a regular file");
    }
    String text;
    try (InputStream in = Files.newInputStream(file)) {
      text = new String(in.readNBytes(BYTES), StandardCharsets.ISO_8859_1);
    }
    if (!text.startsWith(MAGIC)) {
      throw new TraceException(
          file + ": is not a kvrank trace; convert the recording with 'kvrank trace import'");
    }
    int check = text.indexOf("\n" + CHECK) + 1;
    int end = Math.max(0, text.indexOf('\n', check));
    if (!text.startsWith(VERSION + "\n", MAGIC.length())) {
      throw new TraceException(
          "%s: is a trace of version '%s', which this kvrank cannot read; import it again"
              .formatted(file, text.lines().findFirst().orElse("").substring(MAGIC.length())));
    }
    String body = text.substring(0, check);
    if (check == 0 || !text.substring(check, end).equals(CHECK + checksum(body))) {
      throw new TraceException(file + ": byte 0: its header is damaged; import it again");
    }
    SortedMap<String, String> lines = new TreeMap<>();
    body.lines()
        .skip(1)
        .map(line -> line.split(" ", 2))
        .forEach(line -> lines.put(line[0], line[1]));
    TraceHeader header = of(Collections.unmodifiableSortedMap(lines));
    long length = Files.size(file);
    if (length != header.end()) {
      throw new TraceException(
          "%s: byte %,d: it ends here, not after %,d bytes; copy or import it again"
              .formatted(file, length, header.end()));
    }
    return header;
  }

  private static TraceHeader of(SortedMap<String, String> lines) {
    List<ValueSizes.Bin> bins = new ArrayList<>();
    for (String bin : lines.get("value-bytes").split(",", -1)) {
      int[] numbers = Arrays.stream(bin.split("[-x]", -1)).mapToInt(Integer::parseInt).toArray();
      bins.add(new ValueSizes.Bin(numbers[0], numbers[1], numbers[2]));
    }
    return new TraceHeader(
        lines.get("source"),
        Boolean.parseBoolean(lines.get("timed")),
        Long.parseLong(lines.get("requests")),
        Long.parseLong(lines.get("keys")),
        Long.parseLong(lines.get("loaded")),
        Long.parseLong(lines.get("lengths")),
        Long.parseLong(lines.get("micros")),
        Double.parseDouble(lines.get("key-bytes")),
        new ValueSizes(ValueSizes.Spread.UNIFORM, bins),
        Long.parseLong(lines.get("loads")),
        Long.parseLong(lines.get("end")),
        lines.get("digest"));
  }
}
