package kvrank.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import kvrank.Wording;
import kvrank.workload.trace.Recorded;
import kvrank.workload.trace.TraceException;
import kvrank.workload.trace.TraceHeader;
import kvrank.workload.trace.TraceReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TraceImportTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final String TWITTER =
      """
      100,ann@example.org:1,17,0,7,get,0
      100,ann@example.org:2,17,300,7,set,86400
      102,ann,with,commas,15,20,8,add,0
      102,ann@example.org:2,17,300,7,gets,0
      102,ann@example.org:1,17,500,7,cas,0
      102,ann@example.org:2,17,0,7,delete,0
      103,ann@example.org:2,17,0,7,incr,0
      """;

  private static final String META =
      """
      op_time,key,key_size,op,op_count,size,cache_hits,ttl,usecase,sub_usecase
      604038471,ann1,48,GET,2,87,1,0,3,4
      604038471,ann2,24,SET,1,65,0,7200,3,4
      604038473,ann1,48,DELETE,1,0,0,0,3,4
      604038473,ann1,48,SET_LEASE,1,90,0,0,3,4
      """;

  private static final String MONITOR =
      """
      OK
      1700000000.000000 [0 127.0.0.1:60866] "GET" "ann"
      1700000000.000033 [0 127.0.0.1:60866] "set" "a\\"nn\\x00" "hun\\nter2" "EX" "60"
      1700000000.000033 [1 [::1]:60866] "get" "ann"
      1700000000.000100 [0 lua] "MGET" "ann" "bob"
      1700000000.000200 [0 unix:/tmp/s] "PING"
      1700000000.000300 [0 127.0.0.1:1] "MSET" "bob" "12345" "eve" "1234567"
      1700000000.000400 [0 127.0.0.1:1] "PSETEX" "eve" "1500" "xy"
      1700000000.000500 [0 127.0.0.1:1] "incr" "eve"
      1700000000.000600 [0 127.0.0.1:1] "DEL" "bob" "eve"
      1700000000.000700 [0 127.0.0.1:1] "set" "bob" "v" "EX" "abc"
      1700000000.000800 [0 127.0.0.1:1] "setex" "bob" "-5" "v"
      1700000001.000000 [0 127.0.0.1:1] "hset" "h" "field" "value"
      """;

  private static String aof(String... commands) {
    return Arrays.stream(commands)
        .map(
            command ->
                command.startsWith("#")
                    ? command + "\r\n"
                    : Arrays.stream(command.split(" ", -1))
                        .map(word -> "$" + word.length() + "\r\n" + word + "\r\n")
                        .collect(
                            Collectors.joining(
                                "", "*" + command.split(" ", -1).length + "\r\n", "")))
        .collect(Collectors.joining());
  }

  private static final String AOF =
      aof(
          "#TS:1700000000",
          "SELECT 0",
          "SET ann hunter2",
          "SET ann hunter22 PXAT 1700000060000",
          "#TS:1700000002",
          "MULTI",
          "DEL eve",
          "EXEC",
          "SET eve x");

  @TempDir private Path folder;

  private Path trace() {
    return folder.resolve("some.trace");
  }

  private String imported(String text, TraceFormat format) throws IOException {
    return imported(text.getBytes(ISO_8859_1), Optional.ofNullable(format));
  }

  private String imported(byte[] recorded, Optional<TraceFormat> format) throws IOException {
    Files.deleteIfExists(trace());
    return TraceImport.of(
        "recorded", new ByteArrayInputStream(recorded), format, List.of(), trace());
  }

  /** The requests of the trace: microseconds, operation, key, length of key, of value, and TTL. */
  private List<String> requests() throws IOException {
    List<String> requests = new ArrayList<>();
    try (TraceReader in = TraceReader.requests(trace())) {
      while (in.next()) {
        requests.add(
            "%d %s %d k%d v%d t%d%s"
                .formatted(
                    in.micros(),
                    in.operation().label(),
                    in.id(),
                    in.keyBytes(),
                    in.valueBytes(),
                    in.ttlMillis(),
                    in.recorded() == Recorded.UNKNOWN ? "" : " " + in.recorded()));
      }
    }
    return requests;
  }

  private List<String> loads() throws IOException {
    List<String> loads = new ArrayList<>();
    try (TraceReader in = TraceReader.lengths(trace())) {
      while (in.next()) {
        loads.add(in.id() + " v" + in.valueBytes() + (in.existed() ? "" : " absent"));
      }
    }
    return loads;
  }

  @Test
  void twitter() throws IOException {
    wording.check(imported(TWITTER, null));
    assertThat(requests())
        .containsExactly(
            "0 read 0 k17 v0 t0 MISS",
            "500000 insert 1 k17 v300 t86400000",
            "2000000 insert 2 k15 v20 t0",
            "2250000 read 1 k0 v0 t0 HIT",
            "2500000 insert 0 k0 v500 t0",
            "2750000 delete 1 k0 v0 t0",
            "3000000 insert 1 k0 v1 t0");
    assertThat(loads()).containsExactly("0 v500 absent");
    assertThat(TraceHeader.read(trace()).source()).isEqualTo("twitter");
  }

  @Test
  void meta() throws IOException {
    imported(META, null);
    assertThat(requests())
        .containsExactly(
            "0 read 0 k48 v0 t0 MISS",
            "333333 read 0 k0 v0 t0 HIT",
            "666666 insert 1 k24 v65 t7200000",
            "2000000 delete 0 k0 v0 t0",
            "2500000 insert 0 k0 v90 t0");
    assertThat(loads()).containsExactly("0 v87 absent");
    // As of 2022: without times.
    wording.check(
        imported("key,op,size,op_count,key_size\nann,SET,82,1,40\nann,GET,0,2,40\n", null));
    assertThat(requests())
        .containsExactly(
            "0 insert 0 k40 v82 t0", "0 read 0 k0 v0 t0 MISS", "0 read 0 k0 v0 t0 MISS");
    assertThat(TraceHeader.read(trace()).timed()).isFalse();
  }

  @Test
  void monitor() throws IOException {
    wording.check(imported(MONITOR, null));
    assertThat(requests())
        .containsExactly(
            "0 read 0 k3 v0 t0",
            "33 insert 1 k5 v8 t60000",
            "33 read 2 k3 v0 t0",
            "100 read 0 k0 v0 t0",
            "100 read 3 k3 v0 t0",
            "300 update 3 k0 v5 t0",
            "300 insert 4 k3 v7 t0",
            "400 update 4 k0 v2 t1500",
            "500 update 4 k0 v2 t0",
            "600 delete 3 k0 v0 t0",
            "600 delete 4 k0 v0 t0",
            "1000000 insert 5 k1 v10 t0");
    assertThat(loads()).hasSize(3).contains("3 v5");
    assertThat(loads().get(0)).isIn("0 v8", "0 v5", "0 v7", "0 v2", "0 v10");
  }

  @Test
  void keysThatAreEscapedAreToldApart() throws IOException {
    String line = "1.000000 [0 a:1] \"get\" ";
    imported(
        Stream.of("\\x01", "\\x11", "1", "\\n", "n", "\\\\n", "\\\"", "\\x22", "\\\\x01")
            .map(key -> line + '"' + key + "\"\n")
            .collect(Collectors.joining()),
        null);
    assertThat(TraceHeader.read(trace()).keys()).isEqualTo(8);
  }

  @Test
  void appendOnlyFile() throws IOException {
    assertThat(imported(AOF, null)).contains("4 requests for 2 keys, of which 1 existed before");
    assertThat(requests())
        .containsExactly(
            "0 insert 0 k3 v7 t0",
            "500000 update 0 k0 v8 t60000",
            "2000000 delete 1 k3 v0 t0",
            "2500000 insert 1 k0 v1 t0");
    imported(aof("#TS:1700000000", "SET ann hunter2 PXAT 9223372036854775807"), null);
    assertThat(requests()).containsExactly("0 insert 0 k3 v7 t998300000000000");
    imported(AOF.substring(AOF.indexOf('*')), null);
    assertThat(TraceHeader.read(trace()).timed()).isFalse();
  }

  @Test
  void compressed() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(TWITTER.getBytes(UTF_8));
    }
    imported(bytes.toByteArray(), Optional.empty());
    assertThat(requests()).hasSize(7);
    byte[] cut = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 20);
    assertThatThrownBy(() -> imported(cut, Optional.empty()))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("its gzip data is truncated or damaged; copy the file again");
    ByteArrayOutputStream empty = new ByteArrayOutputStream();
    new GZIPOutputStream(empty).close();
    ByteArrayOutputStream millions = new ByteArrayOutputStream();
    for (int i = 0; i < 3_000_000; i++) {
      empty.writeTo(millions);
    }
    assertThatThrownBy(() -> imported(millions.toByteArray(), Optional.empty()))
        .isInstanceOf(TraceException.class);
  }

  @Test
  void otherCompressionsAreNamedWithTheCommandThatUnpacksThem() throws IOException {
    packed("is compressed by zstd", "zstd -dc", 0x28, 0xb5, 0x2f, 0xfd, 0, 0);
    packed("is compressed by xz", "xz -dc", 0xfd, '7', 'z', 'X', 'Z', 0, 0);
    packed("is a zip archive", "unzip -p", 'P', 'K', 3, 4, 20, 0);
    byte[] tar = new byte[512];
    System.arraycopy("ustar".getBytes(UTF_8), 0, tar, 257, 5);
    ByteArrayOutputStream tgz = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(tgz)) {
      out.write(tar);
    }
    packed("is a tar archive", "tar -xOf", tar);
    packed("is a tar archive", "tar -xOf", tgz.toByteArray());
  }

  private void packed(String what, String unpack, int... begin) {
    byte[] bytes = new byte[begin.length];
    for (int i = 0; i < begin.length; i++) {
      bytes[i] = (byte) begin[i];
    }
    packed(what, unpack, bytes);
  }

  private void packed(String what, String unpack, byte[] bytes) {
    assertThatThrownBy(() -> imported(bytes, Optional.empty()))
        .isInstanceOf(TraceException.class)
        .hasMessage(
            "recorded: %s, which kvrank does not read; use '%s FILE | kvrank trace import FORMAT -"
                + " -o OUT'",
            what, unpack);
  }

  private void refused(String text, TraceFormat format, String message) throws IOException {
    assertThatThrownBy(() -> imported(text, format))
        .isInstanceOf(TraceException.class)
        .hasMessageMatching("(?s)recorded:( byte)?[0-9 ,]*:? .*")
        .hasMessageContaining(message)
        .hasMessageNotContainingAny("ann", "eve", "hunter");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void whatIsWrongIsSaidWithItsPlaceAndNothingIsLeft() throws IOException {
    refused("", null, "recorded: is empty");
    refused("ann,eve\n", null, "has an unknown format; if each line is a request, name the");
    refused("REDIS0010ann\n", null, "starts with a snapshot (RDB)");
    String line = "100,ann,3,0,7,get,0\n";
    refused(line + "100,ann,3,0", null, "recorded:2: ends without a line break");
    refused(line + "100,ann,3,0\n", null, "recorded:2: has 4 of 7 columns");
    refused(line + "99,ann,3,0,7,get,0\n", null, "recorded:2: its time is earlier");
    refused(
        line + "100,ann,3,0,7,eve,0\n",
        null,
        "recorded:2: column 6 (operation) is not one of get,");
    refused(
        line + "100,ann,eve,0,7,get,0\n", null, "recorded:2: column 3 (key size) is not a number");
    refused(
        line + "100,ann,3,999999999999,7,set,0\n",
        null,
        "recorded:2: has a key or value of over 536,870,912 bytes");
    refused(line + MONITOR, null, "recorded:2: has 1 of 7 columns");
    refused(META + line, null, "recorded:6: has 7 of 10 columns");
    refused(
        "ann,eve\n",
        TraceFormat.META,
        "recorded:1: has no header line with the columns key, op, size");
    refused(line, TraceFormat.META, "recorded:1: is in the format twitter, not meta; give that");
    refused(AOF, TraceFormat.MONITOR, "recorded: byte 0: is in the format aof, not monitor");
    refused(MONITOR + TWITTER, null, "recorded:14: is not a line of MONITOR");
    refused(MONITOR + MONITOR, null, "recorded:15: its time is earlier");
    String set = "1700000000.000000 [0 127.0.0.1:60866] \"set\" \"ann\"";
    refused(set + " \"hunter2\n", null, "recorded:1: ends within a quoted word");
    refused(set + " hunter2\n", null, "recorded:1: has text between two quoted words");
    refused(set.replace(" \"ann\"", "\n"), null, "recorded:1: has a command without a key");
    refused(
        set + " \"hunter2\" \"ex\" \"eve\"\n",
        null,
        "contains no request that reads or writes a key");
    refused(aof("SET ann hunter2 EX eve"), null, "an argument is not a number");
    refused("OK\n", null, "contains no request that reads or writes a key");
    refused(AOF.substring(0, AOF.length() - 3), null, "ends within a command");
    refused(AOF.substring(0, AOF.length() - 9), null, "ends within a command");
    refused(
        AOF.replace("$3\r\nann", "$2\r\nann"), null, "longer or shorter than its stated length");
    refused(AOF + "SET ann hunter2\r\n", null, "is not a command of an append-only file");
    refused(AOF.replace("#TS:1700000002", "#TS:1600000002"), null, "its time is earlier");
  }

  @Test
  void noKeyAndNoValueIsInTheTrace() throws IOException {
    for (String text : List.of(TWITTER, META, MONITOR, AOF)) {
      imported(text, null);
      assertThat(new String(Files.readAllBytes(trace()), ISO_8859_1))
          .doesNotContainIgnoringCase("ann")
          .doesNotContainIgnoringCase("hunter")
          .doesNotContain("127.0.0.1");
    }
  }
}
