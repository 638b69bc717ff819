package kvrank.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

class TraceFormatTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final String TWITTER = "100,ann,3,10,7,get,0\n101,ann,3,20,7,set,60\n";

  private static final String ROCKSDB =
      """
      0x616E6E 1 0 10 1700000000000001
      0x616E6E 0 0 0 1700000000000002
      0x616E6E 8 1 0 1700000000000002
      0x616E6E 5 0 20 1700000000000003
      0x61 6 0 0 1700000000000004
      0x616E6E 3 0 0 1700000000000005
      """;

  private static final String IBM =
      """
      1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056
      1221974 REST.HEAD.OBJECT 39d177fb735ac5df 528
      1232488 REST.GET.OBJECT 95d363d3fbdc0b03 1168 0 1167
      1232488 REST.GET.OBJECT 8d4fcda3d675bac9 1056 0 9
      1234545 REST.DELETE.OBJECT bfc07f9981aa6a5a
      """;

  private static final String MSR =
      """
      128166372003061629,hm,1,Read,383496192,32768,41286
      128166372016382155,hm,0,Read,383496192,4096,41286
      128166372026382245,hm,1,Write,383496192,8192,31276
      """;

  @TempDir private Path folder;

  private Path trace() {
    return folder.resolve("some.trace");
  }

  private String imported(byte[] recorded, Optional<TraceFormat> format, String... columns)
      throws IOException {
    Files.deleteIfExists(trace());
    return TraceImport.of(
        "recorded", new ByteArrayInputStream(recorded), format, List.of(columns), trace());
  }

  private String imported(String recorded) throws IOException {
    return imported(recorded.getBytes(ISO_8859_1), Optional.empty());
  }

  private String imported(String recorded, TraceFormat format, String... columns)
      throws IOException {
    return imported(recorded.getBytes(ISO_8859_1), Optional.of(format), columns);
  }

  /** The requests of the trace: microseconds, operation, key, lengths of a new key and a value. */
  private List<String> requests(String format) throws IOException {
    assertThat(TraceHeader.read(trace()).source()).isEqualTo(format);
    List<String> requests = new ArrayList<>();
    try (TraceReader in = TraceReader.requests(trace())) {
      while (in.next()) {
        requests.add(
            "%d %s %d k%d v%d%s%s"
                .formatted(
                    in.micros(),
                    in.operation().label(),
                    in.id(),
                    in.keyBytes(),
                    in.valueBytes(),
                    in.ttlMillis() == 0 ? "" : " t" + in.ttlMillis(),
                    in.recorded() == Recorded.UNKNOWN ? "" : " " + in.recorded()));
      }
    }
    return requests;
  }

  private List<String> lengths() throws IOException {
    List<String> lengths = new ArrayList<>();
    try (TraceReader in = TraceReader.lengths(trace())) {
      while (in.next()) {
        lengths.add(in.id() + " v" + in.valueBytes() + (in.existed() ? "" : " absent"));
      }
    }
    return lengths;
  }

  @Test
  void rocksdb() throws IOException {
    wording.check(imported(ROCKSDB));
    assertThat(requests("rocksdb"))
        .containsExactly(
            "0 insert 0 k3 v10",
            "1 read 0 k0 v0",
            "1 read 1 k3 v0",
            "2 update 0 k0 v20",
            "4 delete 0 k0 v0");
  }

  @Test
  void ibm() throws IOException {
    wording.check(imported(IBM));
    assertThat(requests("ibm"))
        .containsExactly(
            "0 insert 0 k16 v1056",
            "13480000 read 1 k16 v0",
            "13480500 read 0 k0 v0",
            "15537000 delete 2 k16 v0");
    assertThat(lengths()).startsWith("1 v1168");
  }

  @Test
  void msr() throws IOException {
    for (String header :
        List.of("", "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n")) {
      assertThat(imported(header + MSR))
          .startsWith("3 requests for 2 keys, of which 2 existed before")
          .endsWith("; columns that are not read: ResponseTime");
      assertThat(requests("msr"))
          .containsExactly("0 read 0 k9 v0", "1332053 read 1 k9 v0", "2332062 update 0 k0 v8192");
      assertThat(lengths()).containsExactly("0 v32768", "1 v4096");
    }
  }

  private static byte[] oracle(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(6 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < numbers.length; i += 4) {
      bytes.putInt((int) numbers[i]).putLong(numbers[i + 1]).putInt((int) numbers[i + 2]);
      bytes.putLong(numbers[i + 3]);
    }
    return bytes.array();
  }

  @Test
  void oracleGeneral() throws IOException {
    byte[] recorded =
        oracle(0, 7, 500, 3, 0, -8, 70_000, -1, 5, 7, 0, Long.MAX_VALUE, 5, 7, 500, -1);
    wording.check(imported(recorded, Optional.empty()));
    assertThat(requests("oracle-general"))
        .containsExactly("0 read 0 k8 v0", "500000 read 1 k8 v0", "5000000 read 0 k0 v0");
    assertThat(lengths()).containsExactly("0 v500", "1 v70000");
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(recorded);
    }
    imported(compressed.toByteArray(), Optional.empty());
    assertThat(requests("oracle-general")).hasSize(3);
  }

  @Test
  void keyLists() throws IOException {
    wording.check(imported("ann\neve\nann\n"));
    assertThat(requests("keys"))
        .containsExactly("0 read 0 k3 v0", "0 read 1 k3 v0", "0 read 0 k0 v0");
    imported("ann and, eve\n", TraceFormat.KEYS);
    assertThat(requests("keys")).containsExactly("0 read 0 k12 v0");
  }

  @Test
  void columnsAreNamedByAHeaderLine() throws IOException {
    assertThat(imported("time,op,key,size,host\n5,GET,ann,0,x\n7,Set,ann,30,x\n"))
        .endsWith("; columns that are not read: host");
    assertThat(requests("csv"))
        .containsExactly("0 read 0 k3 v0 MISS", "2000000 insert 0 k3 v30".replace("k3", "k0"));
    imported("# timestamp_ms\tobj_id\tobj_size\n5\tann\t30\n");
    assertThat(requests("csv")).containsExactly("0 read 0 k3 v0 HIT");
    imported("key;hits;count\nann;1;3\n");
    assertThat(requests("csv"))
        .containsExactly("0 read 0 k3 v0 MISS", "0 read 0 k0 v0 MISS", "0 read 0 k0 v0 HIT");
    imported("\"key\",\"op\"\n\"ann,\"\"eve\"\"\",set\nann,get\n");
    assertThat(requests("csv")).containsExactly("0 insert 0 k11 v100", "0 read 1 k3 v0");
    imported("first name,key,last name\nx,ann,y\n");
    assertThat(requests("csv")).containsExactly("0 read 0 k3 v0");
    imported("ts,key,op,ttl\n1,ann,set,1.5\n");
    assertThat(requests("csv")).containsExactly("0 insert 0 k3 v100 t1500");
  }

  @Test
  void columnsAreNamedByTheUser() throws IOException {
    String lines = "x 5 ann 30 get\nx 6 ann 30 get\n";
    assertThat(imported(lines, TraceFormat.CSV, "-", "time-ms", "key", "size"))
        .endsWith("; columns that are not read: column 1, column 5");
    assertThat(requests("csv")).containsExactly("0 read 0 k3 v0 HIT", "1000 read 0 k0 v0 HIT");
    imported("when,what,bytes\n5,ann,30\n", TraceFormat.CSV, "time", "key", "size");
    assertThat(requests("csv")).containsExactly("0 read 0 k3 v0 HIT");
    imported("5,ann and eve and ann,30\n", TraceFormat.CSV, "time", "key", "size");
    assertThat(requests("csv")).containsExactly("0 read 0 k19 v0 HIT");
    imported("5;\"a;b\";30\n", TraceFormat.CSV, "time", "key", "size");
    assertThat(requests("csv")).containsExactly("0 read 0 k3 v0 HIT");
    imported("ann and eve\n", TraceFormat.CSV, "key");
    assertThat(requests("csv")).containsExactly("0 read 0 k11 v0");
    imported(TWITTER, TraceFormat.CSV, "-", "key");
    assertThat(requests("csv")).hasSize(2);
  }

  @Test
  void headersUpperCaseMarksAndFractionsAreNoObstacles() throws IOException {
    imported(TWITTER);
    List<String> expected = requests("twitter");
    assertThat(expected).containsExactly("0 read 0 k3 v0 HIT", "1000000 update 0 k0 v20 t60000");
    String upper = TWITTER.replace("get", "GET").replace("set", "SET");
    for (String text :
        List.of(
            upper,
            "\u00ef\u00bb\u00bf" + TWITTER,
            "timestamp,anonymized key,key size,value size,client id,operation,TTL\n" + TWITTER,
            "time,key,key_size,value_size,client_id,op,ttl\r\n" + upper,
            TWITTER.replace("100,", "100.25,").replace("101,", "101.250,"))) {
      imported(text);
      assertThat(requests("twitter")).as(text).isEqualTo(expected);
    }
    assertThat(imported("100.5,ann,3,10,7,get,0\n100.5,ann,3,10,7,get,0\n100.6,ann,3,9,7,get,0\n"))
        .contains("; requests within 100,000 µs are spread evenly");
    assertThat(requests("twitter"))
        .containsExactly("0 read 0 k3 v0 HIT", "50000 read 0 k0 v0 HIT", "100000 read 0 k0 v0 HIT");
    imported("\u00ef\u00bb\u00bfkey,op,size\nann,GET,5\n");
    assertThat(requests("meta")).hasSize(1);
  }

  @Test
  void timesOfMorePlacesThanTheFirstKeepTheirOrder() throws IOException {
    imported("1,ann,3,10,7,get,0\n1,ann,3,10,7,get,0\n1.2,ann,3,9,7,get,0\n");
    assertThat(requests("twitter"))
        .containsExactly(
            "0 read 0 k3 v0 HIT", "100000 read 0 k0 v0 HIT", "200000 read 0 k0 v0 HIT");
  }

  private void refused(byte[] recorded, TraceFormat format, String message, String... columns)
      throws IOException {
    assertThatThrownBy(() -> imported(recorded, Optional.ofNullable(format), columns))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message)
        .hasMessageNotContainingAny("ann", "383496192", "8d4fcda3d675bac9", "616E6E");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  private void refused(String recorded, TraceFormat format, String message, String... columns)
      throws IOException {
    refused(recorded.getBytes(ISO_8859_1), format, message, columns);
  }

  @Test
  void anUnknownBeginningIsComparedWithEachFormat() throws IOException {
    String unknown = "100,ann,three,10,7,get,0\n";
    refused(unknown, null, "recorded:1: has an unknown format; if each line is a request, name");
    refused(unknown, null, "\n  twitter: column 3 (key size) is not a number\n");
    refused(unknown, null, "\n  meta: has no header line with the columns key, op, size");
    refused(unknown, null, "\n  oracle-general: bytes 16 to 23 are not a later request");
    refused(unknown, null, "\n  rocksdb: column 1 (key) is not 0x and hexadecimal");
    refused(unknown, null, "\n  ibm: column 1 (timestamp) is not a number\n");
    refused(unknown, null, "\n  msr: column 4 (Type) is not one of read, write\n");
    refused(unknown, null, "\n  monitor: does not start like 1.500000 [0 127.0.0.1:99]\n");
    refused(unknown, null, "\n  aof: does not start with * or #TS:\n");
    refused(unknown, null, "\n  csv: has no header line with a column 'key'\n");
    refused(unknown, null, "\n  keys: has an empty line, or one of more than one column");
    refused("op,key,size,value\nGET,ann,7,9\n", TraceFormat.META, "is in the format csv, not meta");
    refused("\u00ff\u00fea\0n\0n\0\n\0", null, "recorded: is in UTF-16; convert it to UTF-8");
  }

  @Test
  void mistakesHaveAPlaceAndLeaveNothing() throws IOException {
    refused(ROCKSDB + "0x61 9 0 0 1700000000000009\n", null, "recorded:7: column 2 (type of oper");
    refused(
        ROCKSDB + "0x6g 0 0 0 1700000000000009\n", null, "recorded:7: column 1 (key) is not 0x");
    refused(ROCKSDB + "1 0 0 1700000000000009\n", null, "recorded:7: has 4 of 5 columns");
    refused("1 0 10 1700000000000001\n", TraceFormat.ROCKSDB, "recorded:1: has 4 of 5 columns");
    refused(IBM + "1 REST.GET.OBJECT a 1\n", null, "recorded:6: its time is earlier");
    refused(
        IBM + "9999999 REST.POST.OBJECT a\n", null, "recorded:6: column 2 (request type) is not");
    refused(
        IBM + "9999999 REST.GET.OBJECT a 1 2 3 4\n", null, "recorded:6: has 7 columns, more than");
    refused(
        IBM + "9999999 REST.GET.OBJECT a 788402576\n", null, "recorded:6: has a key or value of");
    refused(
        MSR + "128166372026382245,hm,1,Trim,4096,1,1\n", null, "recorded:4: column 4 (Type) is");
    refused(
        MSR + "99999999999999999999,hm,1,Read,1,1,1\n",
        null,
        "recorded:4: column 1 (Timestamp) is out");
    refused(
        MSR + "128166372026382245,hm,1,Read,,1,1\n",
        null,
        "recorded:4: column 5 (Offset) is empty");
    byte[] two = oracle(5, 7, 500, -1, 4, 8, 500, -1);
    refused(two, TraceFormat.ORACLE_GENERAL, "recorded: byte 48: its time is earlier");
    byte[] cut = java.util.Arrays.copyOf(oracle(5, 7, 500, -1, 6, 8, 500, -1), 40);
    refused(cut, null, "recorded: byte 40: ends within a record of 24 bytes");
    refused(oracle(5, 7, 0, -1), null, "contains no request that reads or writes a key");
    refused("ann\n\nann\n", TraceFormat.KEYS, "recorded:2: column 1 (key) is empty");
    refused("ann\nann", null, "recorded:2: ends without a line break; add it or, if");
    refused(
        "key,size\nann,5\nann,5.5\n", null, "recorded:3: column 2 (size) is not a whole number");
    refused("key,size\nann,5\nann,-5\n", null, "recorded:3: column 2 (size) is not a number");
    refused("key,count,hits\nann,2,2\nann,2,3\n", null, "recorded:3: has more hits than requests");
    refused("key,size\nann\n", null, "recorded:2: has 1 of 2 columns");
    refused("key,size\nann,5,6\n", null, "recorded:2: has 3 columns, more than 2");
    refused("time,key\n1.5.5,ann\n", null, "recorded:2: column 1 (time) is not a number");
    refused("time,key\n,ann\n", null, "recorded:2: column 1 (time) is missing");
    refused("key,count\nann,1000001\n", null, "recorded:2: column 2 (count) is over 1000000");
    refused(
        "1,2\n", TraceFormat.CSV, "recorded:1: has no header line with a column 'key'; name its");
    refused("1\n", TraceFormat.CSV, "recorded:1: has 1 of 2 columns", "time", "key");
    String twice = "recorded:1: columns 2 and 3 are both 'key'; name the columns with --columns";
    refused("1,ann,eve,5\n", TraceFormat.CSV, twice, "time", "key", "key", "size");
    refused("time,obj_id,key\n1,ann,eve\n", null, twice);
    refused("key,size\n", null, "contains no request that reads or writes a key");
  }
}
