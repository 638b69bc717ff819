package kvrank.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.input.Secret;
import kvrank.scenario.NamedFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that no one would write: a message, a documented status, no stack trace. */
class HostileInputTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));

  private static final String SCENARIO =
      "question: Is it read?\nengines: [noop]\nfsync: off\nphases: [load]\n";

  /** How many mutants there are; a long test gives more. */
  private static final int MUTANTS = Integer.getInteger("kvrank.mutants", 500);

  private static final long SEED = Long.getLong("kvrank.mutants.seed", 42);

  @TempDir private Path folder;

  private final Installation installation =
      new Installation(new NamedFiles(HOME, List.of()), Map.of());
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int kvrank(Object... words) {
    said.reset();
    PrintStream stream = new PrintStream(said, true, UTF_8);
    return kvrank(stream, words);
  }

  private int kvrank(PrintStream out, Object... words) {
    Terminal terminal = new Terminal(out, new PrintStream(said, true, UTF_8), false, false, 0);
    String[] texts = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    return Kvrank.run(installation, terminal, texts);
  }

  private String said() {
    return said.toString(UTF_8);
  }

  private void assertRefused(String text, String... answers) throws IOException {
    Path file = Files.writeString(folder.resolve("s.yaml"), text);
    assertThat(kvrank("validate", file)).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(said()).contains(answers).hasSizeLessThan(25_000);
  }

  @Test
  void whatIsTooLargeIsRefusedInFewWords() throws IOException {
    assertRefused("question: " + "x".repeat(2 << 20), "it is larger than 1 MiB");
    assertRefused(SCENARIO + "records: " + "9".repeat(900_000), "has 900,000 characters; at most");
    assertRefused(SCENARIO + "x".repeat(900_000) + ": 1", "could not find expected ':'");
    assertRefused(SCENARIO + "data: {" + "a:b".repeat(300_000) + ": 1}", "1 problem");
    String keys =
        IntStream.range(0, 40_000).mapToObj(i -> "k" + i + ": 1\n").collect(Collectors.joining());
    assertRefused(SCENARIO + keys, "unknown key 'k1'", "39,950 more problems are not shown");
    String values =
        IntStream.range(1, 400).mapToObj(String::valueOf).collect(Collectors.joining(","));
    assertRefused(
        SCENARIO + "factors: {records: [%s], value-bytes: [%s]}".formatted(values, values),
        "477,603 runs; at most 100,000");
  }

  @Test
  void whatIsNoYamlIsRefusedAtItsPlace() throws IOException {
    assertRefused(
        SCENARIO + "data:\n  " + "[".repeat(30), "s.yaml:6:22: not valid YAML: Nesting Depth");
    assertRefused(
        SCENARIO + "a: &a {b: c}\nd: [" + "*a, ".repeat(20) + "]",
        "s.yaml:6:45: not valid YAML: Number");
    assertRefused(SCENARIO + "data: ab\0c", "s.yaml:5:9: not valid YAML: the character U+0000 is");
    Path file = folder.resolve("s.yaml");
    Files.write(file, (SCENARIO + "data: ab\u00e9").getBytes(ISO_8859_1));
    assertThat(kvrank("validate", file)).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(said()).contains("s.yaml:5:9: the file is not UTF-8 text");
  }

  @Test
  void whatIsTooLongIsRefusedWithTheMost() throws IOException {
    String most = "'99999999999h' is too long; it must be at most 999999999h";
    assertRefused(SCENARIO + "measure: {warmup: 99999999999h}", most);
    assertRefused(SCENARIO + "patience: 99999999999h", most);
    assertRefused(SCENARIO + "repetitions: {until: separated}\nbudget: 99999999999h", most);
    assertRefused(SCENARIO + "value-bytes: 99999999999GiB", "it must be at most 536870912");
    assertRefused(SCENARIO + "threads: 9999999999999999999", "it must be at most");
  }

  @Test
  void aDeviceIsNoScenario() {
    assertThat(kvrank("validate", "/dev/zero")).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(said())
        .contains("/dev/zero: the file cannot be read: it is a pipe, socket or device");
  }

  @Test
  void filesWithoutAnEndAreNotRead() throws Exception {
    Path pipe = folder.resolve("pipe.yaml");
    endless(pipe, false);
    assertThat(kvrank("validate", pipe)).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(said())
        .contains("pipe.yaml: the file cannot be read: it is a pipe, socket or device");
    assertThat(kvrank("trace", "show", pipe)).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(said()).contains("pipe.yaml: is a pipe, socket or device; name a regular file");

    assertThatIOException()
        .isThrownBy(new Secret(Secret.Source.FILE, "/dev/zero")::read)
        .withMessage(
            "the file '/dev/zero' cannot be read: it is a pipe, socket or device; replace it with a regular file");

    Path original = HOME.resolve("core/src/test/resources/results-before-0.2.0");
    Path results = folder.resolve("results");
    copy(original, results, original, text -> text);
    Path run;
    try (Stream<Path> runs = Files.list(results.resolve("runs"))) {
      run =
          runs.filter(each -> Files.exists(each.resolve("latency.hlog"))).findFirst().orElseThrow();
    }
    List<Path> files =
        List.of(
            run.resolve("counters.csv"),
            run.resolve("resources.csv"),
            run.resolve("timeline.csv"),
            run.resolve("latency.hlog"),
            results.resolve("environment.json"),
            run.resolve("record.json"));
    for (Path file : files) {
      for (boolean link : new boolean[] {true, false}) {
        endless(file, link);
        assertThat(kvrank("report", results)).as("%s", file).isIn(0, 1);
        String page = Files.readString(results.resolve("report/report.html"), UTF_8);
        assertThat(said() + page)
            .contains(
                file.getFileName() + ": ",
                link ? "it is a link, which is not followed" : "it is a pipe, socket or device");
      }
    }
    endless(results.resolve("plan.json"), false);
    assertThat(kvrank("report", results)).isEqualTo(ExitStatus.INVALID_INPUT);
    assertThat(said()).contains("plan.json: cannot be read: it is a pipe, socket or device");
  }

  private static void endless(Path file, boolean link) throws Exception {
    Files.deleteIfExists(file);
    if (link) {
      Files.createSymbolicLink(file, Path.of("/dev/zero"));
    } else {
      assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    }
  }

  @Test
  void linksInResultsAreNotFollowed() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "geheim of another\n");
    Path original = HOME.resolve("core/src/test/resources/results-before-0.2.0");
    Path results = folder.resolve("results");
    copy(original, results, original, text -> text);
    Files.delete(results.resolve("environment.json"));
    Files.createSymbolicLink(results.resolve("environment.json"), secret);
    Path run = results.resolve("runs/redis.r1");
    Files.move(run, folder.resolve("redis.r1"));
    Files.createSymbolicLink(run, folder.resolve("redis.r1"));
    Files.writeString(results.resolve("runs/redis.r2/record.json"), "geheim {}");

    assertThat(kvrank("report", results)).isZero();

    String page = Files.readString(results.resolve("report/report.html"), UTF_8);
    assertThat(said() + page)
        .contains(
            "environment.json: cannot be read: it is a link, which is not followed",
            "redis.r1&#39; is a link, which is not followed",
            "record.json: broken: it does not begin with &#39;{&#39;")
        .doesNotContain("geheim");
  }

  @Test
  void aPasswordInALongLineIsNotShown() throws IOException {
    assertRefused(
        "{question: %s, engines: [{engine: redis, server: {external: 'redis://me:secret@host:1x'}}]}"
            .formatted("x".repeat(5_000)),
        "redis://*********@host:1x");
    assertThat(said()).doesNotContain("secret");
  }

  private static List<String> placesOfPasswords() {
    List<String> externals = new ArrayList<>();
    for (String key :
        List.of(
            "pasword",
            "passwort",
            "Password",
            "passwd",
            "pass-word",
            "pwd",
            "auth",
            "auhtToken",
            "requirepass",
            "secert",
            "tokens",
            "credentails",
            "usr")) {
      externals.add("{address: 'db:6379', " + key + ": geheim}");
    }
    externals.addAll(
        List.of(
            "{address: 'db:6379', pasword: 'it''s geheim', user: ann}",
            "{address: 'db:6379', pasword: \"a\\\" geheim\", user: ann}",
            "{address: 'db:6379', pasword: a,geheim}",
            "{address: 'db:6379', \"pasword\":\"geheim\"}",
            "{address: 'db:6379', password: {geheim}}",
            "{address: 'db:6379', password: {env: A, text: geheim}}",
            "{address: 'db:6379', password: {env: [geheim]}}",
            "{address: 'db:6379', password: *geheim}",
            "{address: 'db:6379', password: @geheim}",
            "{address: 'db:6379', password: \"geheim\\q\"}",
            "{address: 'db:6379', password: 'geheim'x}",
            "{address: 'db:6379', password = geheim}",
            "redis://user:geheim@host:6379x",
            "redis://user:a/b@geheim@host:6379",
            "'redis://user:a geheim@host:6379'",
            "redis://user:geheim",
            "redis://:12geheim",
            ":geheim@host",
            "geheim@host:6379",
            "[user:geheim@host:6379]",
            "'user:it''s geheim@host:6379'",
            "\n        address: db:6379\n        pasword: geheim",
            "\n        address: db:6379\n        password:\n          text: geheim",
            "\n        address: db:6379\n        password:\n        - geheim: 1",
            "\n        address: db:6379\n        password: {\n          geheim: 1}",
            "\n        address: db:6379\n        pasword geheim",
            "\n        address: db:6379\n        pasword: a: geheim"));
    return externals;
  }

  @Test
  void aPasswordInAScenarioIsInNoAnswer() throws IOException {
    for (String external : placesOfPasswords()) {
      assertRefused(
          "question: Is it shown?\nengines:\n  - engine: redis\n    server:\n      external: "
              + external
              + "\nfsync: off\nphases: [get]\n",
          "nothing was started");
      assertThat(said()).as(external).doesNotContain("geheim");
    }
  }

  @Test
  void anUnknownKeyBehindAPasswordIsShownWithoutIt() throws IOException {
    assertRefused(
        SCENARIO.replace(
            "noop",
            "{engine: redis, server: {external: {address: 'h:1', password: geheim, may_share: true}}}"),
        "unknown key 'may_share'; did you mean 'may-share'?",
        "password: ********may_share*");
    assertThat(said()).doesNotContain("geheim");
  }

  @Test
  void aPasswordInThePlaceOfTheNameOfItsFileIsNotShown() throws IOException {
    for (String source : List.of("file", "env")) {
      assertThat(
              kvrank(
                  "plan",
                  Files.writeString(
                      folder.resolve("named.yaml"),
                      SCENARIO.replace(
                          "noop",
                          "{engine: redis, server: {external: {address: 'h:1', password: {%s: geheim}}}}"
                              .formatted(source)))))
          .isEqualTo(2);
      assertThat(said()).contains("named.yaml:", "this name").doesNotContain("geheim");
    }
  }

  @Test
  void aPasswordOnTheCommandLineIsInNoAnswer() {
    for (String words :
        List.of(
            "--set pasword:geheim",
            "--set pasword=geheim",
            "--set external=redis://ann:geheim@host:6379",
            "--set redis://ann:geheim@host:6379",
            "--set ann:geheim@host=1",
            "--set threads=ann:geheim@host",
            "--set threads=redis://ann:geheim",
            "--password geheim",
            "--password=geheim",
            "--pasword geheim",
            "redis://ann:geheim@host:6379",
            "--engines redis://ann:geheim@host:6379")) {
      for (String command :
          List.of("plan quick ", "run quick ", "validate ", "report ", "compare ", "run ", "")) {
        assertThat(kvrank((Object[]) (command + words).split(" "))).isIn(1, 2);
        assertThat(said()).as(command + words).isNotBlank().doesNotContain("geheim");
      }
    }
  }

  @Test
  void whatIsNoPasswordIsShown() throws IOException {
    assertRefused(
        SCENARIO.replace(
            "noop", "{engine: redis, server: {container: 'redis:7@sha256:0', author: x}}"),
        "unknown method for the server 'author'",
        "{engine: redis, server: {container: 'redis:7@sha256:0', author: x}}");
  }

  @Test
  void aDefectIsASentenceAndAFileToSend() throws IOException {
    PrintStream broken =
        new PrintStream(said, true, UTF_8) {
          @Override
          public void println(String line) {
            throw new IllegalStateException("not foreseen");
          }
        };
    assertThat(kvrank(broken, "list")).isEqualTo(ExitStatus.RUN_FAILED);
    assertThat(said())
        .startsWith("kvrank: a defect of kvrank: java.lang.IllegalStateException: not foreseen")
        .doesNotContain("\tat ");
    Path file = Path.of(said().replaceFirst("(?s).* (\\S+\\.txt).*", "$1"));
    assertThat(file)
        .content()
        .contains("kvrank " + Kvrank.VERSION, "not foreseen", "\tat kvrank.cli.");
    Files.delete(file);
  }

  /**
   * Mutants of files that are right, by a seed; the slowest is printed, as a time proves nothing.
   */
  @Test
  void mutantsHaveAnAnswer() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String folder : List.of("scenarios", "workloads", "tables", "bindings")) {
      try (Stream<Path> all = Files.walk(HOME.resolve(folder), 2)) {
        all.filter(file -> file.toString().endsWith(".yaml")).sorted().forEach(files::add);
      }
    }
    Path results = HOME.resolve("core/src/test/resources/results-before-0.2.0");
    Random random = new Random(SEED);
    long slowest = 0;
    String which = "";
    for (int mutant = 0; mutant < MUTANTS; mutant++) {
      // A report takes many times as long.
      boolean ofResults = mutant % 20 == 0;
      Path original = ofResults ? results : files.get(random.nextInt(files.size()));
      // The name says what kind of file it is.
      String name = ofResults ? "r" + mutant : original.getFileName().toString();
      Path mutated = folder.resolve(name);
      if (ofResults) {
        original = mutateOne(results, mutated, random);
      } else {
        Files.writeString(mutated, mutate(Files.readString(original), random));
      }
      long start = System.nanoTime();
      int status = kvrank(ofResults ? "report" : "validate", mutated);
      long nanos = System.nanoTime() - start;
      if (nanos > slowest) {
        slowest = nanos;
        which = "mutant %d, of %s".formatted(mutant, original);
      }
      assertThat(said())
          .as("mutant %d with seed %d, of %s", mutant, SEED, original)
          .doesNotContain("a defect of kvrank", "Exception in thread", "out of memory")
          .doesNotContainPattern("(?m)^\\tat ");
      assertThat(status).isIn(0, 1, 2, 3);
    }
    System.out.printf(
        "%d mutants; the slowest took %d ms: %s%n", MUTANTS, slowest / 1_000_000, which);
  }

  /** Copies {@code results} but for one mutated file; returns which. */
  private static Path mutateOne(Path results, Path target, Random random) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(results)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    Path victim = files.get(random.nextInt(files.size()));
    copy(results, target, victim, text -> mutate(text, random));
    return victim;
  }

  private static void copy(Path results, Path target, Path victim, UnaryOperator<String> change)
      throws IOException {
    try (Stream<Path> all = Files.walk(results)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolve(results.relativize(file));
        Files.createDirectories(copy.getParent());
        // Each byte a character, as a histogram's may be any.
        String text = Files.readString(file, ISO_8859_1);
        Files.write(copy, (file.equals(victim) ? change.apply(text) : text).getBytes(ISO_8859_1));
      }
    }
  }

  private static final List<String> WORDS =
      List.of(
          "",
          "null",
          "~",
          "-1",
          "0",
          "1e999",
          "NaN",
          "\"NaN\"",
          "99999999999999999999",
          "[]",
          "{}",
          "[[[[[[[[",
          "{a: {a: {a: ",
          "&a [*a]",
          "*a",
          "!!java.net.URL",
          "\0",
          "\uFEFF",
          "\t",
          "é",
          "${data}",
          "../../etc/passwd",
          "<script>",
          "'",
          "\"",
          ":",
          "- ",
          "#",
          "%",
          "|",
          "off");

  private static String mutate(String text, Random random) {
    StringBuilder mutant = new StringBuilder(text);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int length = mutant.length();
      int from = random.nextInt(length + 1);
      int to = Math.min(length, from + random.nextInt(12));
      switch (random.nextInt(5)) {
        case 0 -> mutant.replace(from, to, "");
        case 1 -> mutant.insert(from, WORDS.get(random.nextInt(WORDS.size())));
        case 2 -> mutant.replace(from, to, WORDS.get(random.nextInt(WORDS.size())));
        case 3 -> mutant.setLength(random.nextInt(10) == 0 ? from : length);
        default -> {
          // The value after some colon, which is where most mistakes are.
          int colon = mutant.indexOf(":", from);
          int end = colon < 0 ? -1 : mutant.indexOf("\n", colon);
          if (end >= 0) {
            mutant.replace(colon + 1, end, " " + WORDS.get(random.nextInt(WORDS.size())));
          }
        }
      }
    }
    return mutant.toString();
  }
}
