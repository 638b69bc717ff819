package kvrank.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import kvrank.scenario.NamedFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Results that are well-formed and false: each has an answer, and others are still reported. */
class HostileResultsTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));

  /** How many mutants there are; a long test gives more. */
  private static final int MUTANTS = Integer.getInteger("kvrank.mutants", 150);

  private static final long SEED = Long.getLong("kvrank.mutants.seed", 42);

  /** Results to mutate instead of those of {@link #prepare}, for a long test. */
  private static final Optional<Path> ORIGINAL =
      Optional.ofNullable(System.getProperty("kvrank.mutants.of")).map(Path::of);

  private static final JsonMapper JSON = new JsonMapper();

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "NaN",
          "Infinity",
          "abc",
          "-1",
          "99999999999999999999",
          "a\0b",
          "\u001b[2J\u0007\r",
          "\u202Egnp.exe",
          "=HYPERLINK(\"http://x\")",
          "@all fixes #1",
          "../../../etc/passwd",
          "/etc/passwd",
          ".",
          "..",
          "<script>alert(1)</script>",
          "+1000000000-12-31T23:59:59.999999999Z",
          "-1000000000-01-01T00:00:00Z",
          "best",
          "redis",
          "load",
          "completed",
          "failed",
          "%s%d%n",
          "${x}",
          "x".repeat(20_000),
          "a.".repeat(10_000));

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0.0",
          "-1",
          "1",
          "2",
          "0.5",
          "1e-300",
          "1e300",
          "1e999",
          "9e9",
          "2147483647",
          "2147483648",
          "9223372036854775807",
          "99999999999999999999",
          "1000000000000000");

  @TempDir private Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Path good;

  private int kvrank(Object... words) {
    said.reset();
    PrintStream stream = new PrintStream(said, true, UTF_8);
    String[] texts = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    return Kvrank.run(
        new Installation(new NamedFiles(HOME, List.of()), Map.of()),
        new Terminal(stream, stream, false, false, 0),
        texts);
  }

  /** Copies real results, and adds what newer ones have. */
  @BeforeEach
  void prepare() throws IOException {
    Path old = HOME.resolve("core/src/test/resources/results-before-0.2.0");
    good = folder.resolve("good");
    copy(old, good);
    Files.delete(good.resolve("runs/rocksdb-small.r1/latency.hlog")); // the largest file
    Path plan = good.resolve("plan.json");
    ObjectNode tree = (ObjectNode) JSON.readTree(Files.readString(plan));
    tree.set(
        "adaptive",
        JSON.readTree(
            """
            {"atLeast": 3, "ratio": 1.1, "interval": null, "budgetSeconds": 600.0, "ended": 5,
             "compare": [["best"], ["neighbours"], ["redis", "rocksdb-small"]], "stopped": [3]}
            """));
    tree.set("extended", JSON.readTree("[4]"));
    tree.set(
        "tables",
        JSON.readTree(
            """
            ["kvbench", {"title": "By phase", "metric": "throughput", "rows": "engine",
             "columns": "phase", "charts": [{"file": "by-phase", "kind": "lines", "title": "x",
             "axis": "operations per second", "rows": "phase"}]}]
            """));
    tree.put("repetitions", 5);
    tree.set("prefer", JSON.readTree("null"));
    Files.writeString(plan, tree.toString());
    Path run = good.resolve("runs/redis.r1");
    Files.writeString(
        run.resolve("resources.csv"),
        """
        phase,elapsed_ms,process,user_seconds,system_seconds,resident_bytes,written_bytes,flushes,warmup
        mixed,0,server,0.1,0.2,1000,2000,,true
        mixed,100,server,0.2,0.3,1000,3000,,false
        mixed,200,device,,,,5000,3,false
        """);
    Files.writeString(
        run.resolve("counters.csv"),
        """
        phase,elapsed_ms,counter,total,value
        mixed,0,evictions,true,1
        mixed,1000,evictions,true,5.5
        """);
    int status = kvrank("report", good);
    assertThat(status).as(said.toString(UTF_8)).isZero();
    assertThat(said.toString(UTF_8)).doesNotContain("cannot be read", "broken");
    delete(good.resolve("report"));
  }

  @Test
  void whatContradictsItselfIsNamedAndTheRestReported() throws IOException {
    assertRun("throughput\" : 62123.26205747544", "throughput\" : 9e9", "throughput: 9.0E9 contra");
    assertRun(
        "(?s)throughput\" : 62123.26205747544(.*?)\"points\" : \\[ ?]",
        "throughput\" : 240000.0$1\"points\" : [{\"asked\" : 100.0, \"achieved\" : 100.0,"
            + " \"latencyNanos\" : {}, \"good\" : true, \"evidence\" : \"\"}]",
        "throughput: 240000.0 contra");
    assertRun("\"started\" : \"[^\"]*", "\"started\" : \"+1000000000-12-31T23:59:59Z", "started: ");
    assertRun("\"facts\" : \\{", "\"facts\" : {\"others.lostSeconds\": \"abc\",", "'abc' is not a");
    assertRun("\"facts\" : \\{", "\"facts\" : {\"others.lostSeconds\": \"NaN\",", "'NaN' is not a");
    assertRun("\"name\" : \"mixed\"", "\"name\" : \"load\"", "phases: 'load' occurs twice");
    String operation =
        "\"x%d\" : {\"ok\" : 0, \"notFound\" : 0, \"errors\" : {}, \"throughput\" : 0.0},";
    assertRun(
        "\"operations\" : \\{",
        "\"operations\" : {"
            + IntStream.range(0, 200).mapToObj(operation::formatted).collect(joining()),
        "is too many; the most is 176");
    assertRun("\"p99\" : 121279", "\"p99\" : 5", "do not rise");
    assertRun("\"mean\" : [0-9.]+", "\"mean\" : 0.0", "is not from the minimum to the maximum");
    assertRun("(\"others.cpuShare\" : \")[^\"]*", "$1-1e308", "'-1e308' is not possible");
    assertRun("(?<one>\"others.cpuShare\" : \")[^\"]*", "${one}0x1p3", "'0x1p3' is not a number");
    assertRun(
        "(?<one>\"residentPeakBytes\" : )[0-9]+",
        "${one}1",
        "the peak of memory, 1, is below its mean");
    assertPlan("\"redis.r1\"", "\"a\\\\u0000b\"", "runs[0]: 'a\uFFFDb' is not the name of a run");
    assertPlan("\"redis.r1\"", "\"../../good/runs/redis.r1\"", "is not the name of a run");
    assertPlan("\"redis.r2\"", "\"redis.r1\"", "runs: 'redis.r1' occurs twice");
    assertPlan("\\[\"best\"\\]", "[]", "adaptive.compare: [] is neither an engine nor a pair");
    assertPlan(
        "\"kvbench\"", "\"kvbench\",".repeat(100) + "\"kvbench\"", "tables: 102 is too many");
    assertPlan("\"planned\":\"[^\"]*", "\"planned\":\"+1000000000-12-31T23:59:59Z", "planned: ");
  }

  private void assertRun(String from, String to, String answer) throws IOException {
    Path bad = mutated("runs/redis.r1/record.json", from, to);
    assertThat(kvrank("report", bad)).isZero();
    String report = Files.readString(bad.resolve("report/rankings.json"));
    assertThat(report).contains("runs/redis.r1/record.json: ", "kvrank never writes that");
    assertThat(said.toString(UTF_8) + report.replace("\\\"", "\"")).contains(answer);
    assertThat(report).contains("\"engine\" : \"redis\"");
    delete(bad);
  }

  private void assertPlan(String from, String to, String answer) throws IOException {
    Path bad = mutated("plan.json", from, to);
    assertThat(kvrank("report", bad)).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(said.toString(UTF_8)).contains("plan.json: ", answer, "; kvrank never writes that");
    assertThat(kvrank("report", good, bad)).isZero();
    assertThat(said.toString(UTF_8)).contains(answer, "rocksdb-small is fastest");
    delete(bad);
  }

  private Path mutated(String name, String from, String to) throws IOException {
    Path bad = folder.resolve("bad");
    copy(good, bad);
    Path file = bad.resolve(name);
    String text = Files.readString(file);
    String changed = text.replaceFirst(from, to);
    assertThat(changed).as(from).isNotEqualTo(text);
    Files.writeString(file, changed);
    return bad;
  }

  /** A line of 1.2 MB that inflated to 900 MB ended the JVM. */
  @Test
  void aHistogramThatInflatesIsBroken() throws IOException {
    Path file = good.resolve("runs/redis.r1/latency.hlog");
    Files.writeString(file, "Tag=mixed/read,0,1,2," + bomb(64));
    assertThat(kvrank("report", good)).isZero();
    assertThat(Files.readString(good.resolve("report/report.html")))
        .contains("latency.hlog: broken or truncated: line 1: ", "inflates to more than");
  }

  /** Returns a histogram of {@code mebibytes} of zeros. */
  private static String bomb(int mebibytes) {
    Deflater deflater = new Deflater();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] zeros = new byte[1 << 20];
    byte[] out = new byte[1 << 16];
    for (int i = 0; i < mebibytes; i++) {
      deflater.setInput(zeros);
      while (!deflater.needsInput()) {
        bytes.write(out, 0, deflater.deflate(out));
      }
    }
    deflater.finish();
    while (!deflater.finished()) {
      bytes.write(out, 0, deflater.deflate(out));
    }
    deflater.end();
    ByteBuffer whole = ByteBuffer.allocate(8 + bytes.size());
    whole.putInt(0x1c849314).putInt(bytes.size()).put(bytes.toByteArray());
    return Base64.getEncoder().encodeToString(whole.array());
  }

  /** Mutants by a seed; the slowest is printed by its CPU time, collection and JIT included. */
  @Test
  void mutantsHaveAnAnswer() throws Exception {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Path original = ORIGINAL.orElse(good);
    long slowest = 0;
    String which = "";
    int refused = 0;
    for (int mutant = 0; mutant < MUTANTS; mutant++) {
      Random random = new Random(SEED * 1_000_003 + mutant);
      Path bad = folder.resolve("m" + mutant);
      copy(original, bad);
      StringBuilder what = new StringBuilder();
      for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
        what.append(change(bad, random)).append("; ");
      }
      long start = system.getProcessCpuTime();
      int status = read(mutant % 20, original, bad);
      long nanos = system.getProcessCpuTime() - start;
      if (nanos > slowest) {
        slowest = nanos;
        which = "mutant %d, %s".formatted(mutant, what);
      }
      refused += status == ExitStatus.INVALID_INPUT ? 1 : 0;
      assertThat(said.toString(UTF_8))
          .as("mutant %d with seed %d: %s", mutant, SEED, what)
          .doesNotContain("a defect of kvrank", "Exception in thread", "out of memory")
          .doesNotContain("\u001b", "\u202E", "\0")
          .doesNotContainPattern("(?m)^\\tat ");
      assertThat(status).as("mutant %d: %s", mutant, what).isIn(0, 1, 2);
      delete(bad);
    }
    assertThat(refused).as("some mutants are as good as the original").isLessThan(MUTANTS);
    System.out.printf(
        "%d mutants of results, %d refused; the slowest took %d ms: %s%n",
        MUTANTS, refused, slowest / 1_000_000, which);
  }

  /** Reads a mutant by one of the commands that read results, most often by {@code report}. */
  private int read(int kind, Path original, Path bad) throws IOException {
    Path out = folder.resolve("out");
    return switch (kind) {
      case 0 -> kvrank("report", original, bad, "--out", out);
      case 1 -> kvrank("compare", original, bad, "--across-machines");
      case 2 -> kvrank("site", original, bad, "--out", folder.resolve("site"));
      case 3 -> kvrank("history", original, bad);
      case 4 -> {
        Path archive = folder.resolve("mutant.tar.gz");
        Files.deleteIfExists(archive);
        int status = kvrank("pack", bad, "-o", archive);
        yield Files.exists(archive) ? kvrank("validate", archive) : status;
      }
      default -> kvrank("report", bad);
    };
  }

  private static String change(Path results, Random random) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(results)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    Path file = one(files, random);
    String name = results.relativize(file).toString();
    if (random.nextInt(25) == 0) {
      return name + ": " + replaced(file, random);
    } else if (name.endsWith(".json")) {
      return name + ": " + json(file, random);
    } else if (name.endsWith(".hlog")) {
      return name + ": " + histogram(file, random);
    }
    return name + ": " + lines(file, random);
  }

  /** Replaces a file by something else. */
  private static String replaced(Path file, Random random) throws Exception {
    Files.delete(file);
    switch (random.nextInt(5)) {
      case 0 -> Files.createSymbolicLink(file, Path.of("/etc/passwd"));
      case 1 -> Files.createSymbolicLink(file, file.getFileName());
      case 2 -> Files.createDirectory(file);
      case 3 ->
          assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
      default -> Files.createFile(file);
    }
    return "replaced";
  }

  /** A value in a tree, by its place. */
  private record Slot(JsonNode parent, String key, int index, String path) {

    JsonNode value() {
      return parent.isObject() ? parent.get(key) : parent.get(index);
    }

    void set(JsonNode value) {
      if (parent instanceof ObjectNode object) {
        object.set(key, value);
      } else {
        ((ArrayNode) parent).set(index, value);
      }
    }
  }

  private static void collect(JsonNode parent, String path, List<Slot> slots) {
    List<Slot> here = new ArrayList<>();
    if (parent.isObject()) {
      parent.propertyNames().forEach(key -> here.add(new Slot(parent, key, 0, path + "." + key)));
    } else if (parent.isArray()) {
      for (int i = 0; i < parent.size(); i++) {
        here.add(new Slot(parent, "", i, path + "[" + i + "]"));
      }
    }
    for (Slot slot : here) {
      slots.add(slot);
      collect(slot.value(), slot.path(), slots);
    }
  }

  private static String json(Path file, Random random) throws IOException {
    JsonNode tree;
    try {
      tree = JSON.readTree(Files.readString(file));
    } catch (RuntimeException broken) {
      return "broken before";
    }
    List<Slot> slots = new ArrayList<>();
    collect(tree, "", slots);
    if (slots.isEmpty()) {
      return "empty before";
    }
    Slot slot = one(slots, random);
    JsonNode value = slot.value();
    String raw = "";
    int kind = random.nextInt(10);
    if (kind == 0) {
      slot.set(one(slots, random).value().deepCopy());
    } else if (kind == 1 && slot.parent() instanceof ObjectNode object) {
      object.remove(slot.key());
    } else if (kind == 2) {
      raw = one(List.of("null", "true", "{}", "[]", "[[]]", "[[\"x\"]]", "\"x\""), random);
    } else if (value.isNumber() || kind == 3) {
      raw = one(NUMBERS, random);
    } else if (value instanceof ArrayNode array) {
      switch (random.nextInt(4)) {
        case 0 -> array.removeAll();
        case 1 -> array.addAll(array.deepCopy());
        case 2 -> array.add(one(TEXTS, random));
        default -> {
          for (int i = 0; i < 2_000 && array.size() > 0; i++) {
            array.add(array.get(0).deepCopy());
          }
        }
      }
    } else if (value instanceof ObjectNode object) {
      switch (random.nextInt(3)) {
        case 0 -> object.removeAll();
        case 1 -> object.put(one(TEXTS, random), one(TEXTS, random));
        default -> {
          JsonNode example = object.isEmpty() ? object.deepCopy() : object.iterator().next();
          for (int i = 0; i < 2_000; i++) {
            object.set("k" + i, example.deepCopy());
          }
        }
      }
    } else {
      slot.set(JSON.getNodeFactory().stringNode(one(TEXTS, random)));
    }
    if (!raw.isEmpty()) {
      slot.set(JSON.getNodeFactory().stringNode("@RAW@"));
    }
    Files.writeString(file, tree.toString().replace("\"@RAW@\"", raw));
    return slot.path() + " " + kind + " " + raw;
  }

  private static String histogram(Path file, Random random) throws Exception {
    List<String> lines = lines(file);
    if (lines.isEmpty()) {
      return "empty before";
    }
    int at = random.nextInt(lines.size());
    String line = lines.get(at);
    int comma = line.lastIndexOf(',');
    if (comma < 0 || !line.startsWith("Tag=")) {
      lines.set(at, one(TEXTS, random));
    } else {
      switch (random.nextInt(4)) {
        case 0 -> lines.set(at, line.substring(0, comma + 1) + bomb(1 + random.nextInt(64)));
        case 1 -> lines.add(line);
        case 2 -> lines.set(at, "Tag=" + one(TEXTS, random) + line.substring(line.indexOf(',')));
        default -> lines.set(at, line.substring(0, comma + 1) + altered(line, comma, random));
      }
    }
    Files.writeString(file, String.join("\n", lines));
    return "line " + at;
  }

  /** Returns the histogram with other bytes or another header. */
  private static String altered(String line, int comma, Random random) throws Exception {
    byte[] bytes = Base64.getDecoder().decode(line.substring(comma + 1));
    Inflater inflater = new Inflater();
    inflater.setInput(bytes, 8, bytes.length - 8);
    byte[] plain = new byte[1 << 20];
    int length = inflater.inflate(plain);
    inflater.end();
    ByteBuffer header = ByteBuffer.wrap(plain);
    if (random.nextBoolean()) {
      int[] values = {0, -1, 1, 5, 40, Integer.MAX_VALUE, Integer.MIN_VALUE, random.nextInt()};
      header.putInt(4 * random.nextInt(10), values[random.nextInt(values.length)]);
    } else {
      for (int i = 0; i < 9; i++) {
        plain[40 + random.nextInt(Math.max(1, length - 40))] = (byte) random.nextInt();
      }
    }
    Deflater deflater = new Deflater();
    deflater.setInput(plain, 0, length);
    deflater.finish();
    byte[] out = new byte[1 << 20];
    int size = deflater.deflate(out);
    deflater.end();
    ByteBuffer whole = ByteBuffer.allocate(8 + size);
    whole.putInt(0x1c849314).putInt(size).put(out, 0, size);
    return Base64.getEncoder().encodeToString(whole.array());
  }

  /** Returns the lines of any file, also of a ledger, which is binary. */
  private static List<String> lines(Path file) throws IOException {
    return new ArrayList<>(new String(Files.readAllBytes(file), UTF_8).lines().toList());
  }

  /** Changes a cell, a line or all of a CSV file, or a line of YAML. */
  private static String lines(Path file, Random random) throws IOException {
    List<String> lines = lines(file);
    if (lines.isEmpty()) {
      return "empty before";
    }
    int at = random.nextInt(lines.size());
    switch (random.nextInt(5)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(at, lines.get(at));
      case 2 -> {
        String line = lines.get(at);
        for (int i = 0; i < Math.min(20_000, 50_000_000 / (line.length() + 1)); i++) {
          lines.add(line);
        }
      }
      default -> {
        List<String> cells = new ArrayList<>(List.of(lines.get(at).split(",", -1)));
        cells.set(
            random.nextInt(cells.size()), one(random.nextBoolean() ? TEXTS : NUMBERS, random));
        lines.set(at, String.join(",", cells));
      }
    }
    Files.writeString(file, String.join("\n", lines));
    return "line " + at;
  }

  private static <T> T one(List<T> items, Random random) {
    return items.get(random.nextInt(items.size()));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
