package kvrank.results.pack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import kvrank.Wording;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.input.Problem;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.stats.RankingIndex;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final String EXECUTION = "mine/2026-01-02T030405Z";

  @TempDir private Path folder;

  private Path packed(ResultsDirectory... directories) throws Exception {
    List<ExecutionResults> executions = new ArrayList<>();
    for (ResultsDirectory directory : directories) {
      executions.add(directory.read());
    }
    PackWriter packed = PackWriter.of(executions, PackExamples.USER);
    assertThat(packed.doubtful()).isEmpty();
    return Files.write(folder.resolve(packed.name()), packed.archive());
  }

  private static SortedMap<String, String> texts(Path archive) throws Exception {
    SortedMap<String, String> texts = new TreeMap<>();
    try (OpenedPack pack = OpenedPack.of(archive)) {
      for (String name : pack.sums().keySet()) {
        texts.put(name, Files.readString(pack.folder().resolve(name)));
      }
    }
    return texts;
  }

  @Test
  void hasNoPrivateText() throws Exception {
    Path archive = packed(PackExamples.execution(folder, 1));
    SortedMap<String, String> texts = texts(archive);

    assertThat(texts).hasSize(3 + 6 * 5 + 3 + 2);
    assertThat(archive.getFileName().toString())
        .matches("mine-xeon-platinum-8370c-8cpu-[0-9a-f]{6}-2026-01-02T030405Z\\.tar\\.gz");
    texts.forEach(
        (name, text) ->
            PackExamples.PRIVATE.forEach(
                secret -> assertThat(name + "\n" + text).as(name).doesNotContain(secret)));
    assertThat(texts.get(EXECUTION + "/scenario.yaml"))
        .contains("process: …/redis-server", "{env: KVRANK_PASSWORD}", ":6379");
    assertThat(texts.get(EXECUTION + "/runs/redis[off]1/record.json"))
        .contains("\"…/redis-server\"", "\"7.0.15.1\"", "\"123456\"");
  }

  @Test
  void givesTheSameRankingsAndNumbers() throws Exception {
    ResultsDirectory directory = PackExamples.execution(folder, 1);
    ExecutionResults before = directory.read();
    try (OpenedPack pack = OpenedPack.of(packed(directory))) {
      ExecutionResults after = pack.executions().get(0).read();

      assertThat(after.unreadable()).isEmpty();
      assertThat(after.name()).isEqualTo(EXECUTION);
      assertThat(after.manifest().runs()).isEqualTo(before.manifest().runs());
      assertThat(after.runs().stream().map(RunRecord::phases).toList())
          .isEqualTo(before.runs().stream().map(RunRecord::phases).toList());
      assertThat(RankingIndex.of(after).rankings().get(0).standings())
          .isEqualTo(RankingIndex.of(before).rankings().get(0).standings())
          .hasSize(2);
    }
  }

  /** Opens a pack and waits, as a program does while it reads one. */
  static final class Reader {

    private Reader() {}

    public static void main(String[] arguments) throws Exception {
      OpenedPack.of(Path.of(arguments[0]), Path.of(arguments[1]));
      System.out.println("open");
      Thread.sleep(60_000);
    }
  }

  @Test
  void isRemovedWhenItsReaderIsTerminated() throws Exception {
    Path temporary = folder.resolve("temporary");
    Process reader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Reader.class.getName(),
                packed(PackExamples.execution(folder, 1)).toString(),
                temporary.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(reader.inputReader().readLine()).isEqualTo("open");
    assertThat(temporary).isNotEmptyDirectory();

    reader.destroy();
    reader.waitFor();
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void isTheSameForTheSameResultsAndIsRemovedWhenClosed() throws Exception {
    ResultsDirectory directory = PackExamples.execution(folder, 1);
    Path archive = packed(directory);
    byte[] first = Files.readAllBytes(archive);
    assertThat(Files.readAllBytes(packed(directory))).isEqualTo(first);

    OpenedPack pack = OpenedPack.of(archive);
    pack.close();
    assertThat(pack.folder()).doesNotExist();
  }

  @Test
  void executionsOfOneTimeStayApart() throws Exception {
    Path archive =
        packed(
            PackExamples.execution(folder.resolve("a"), 1),
            PackExamples.execution(folder.resolve("b"), 1.1));
    try (OpenedPack pack = OpenedPack.of(archive)) {
      assertThat(pack.executions().stream().map(each -> pack.folder().relativize(each.path())))
          .containsExactly(Path.of(EXECUTION), Path.of(EXECUTION + "-2"));
    }
    assertThat(problems(archive)).isEmpty();
  }

  @Test
  void theRemovedTextsAreCountedAndDoubtfulOnesNamed() throws Exception {
    ResultsDirectory directory = PackExamples.execution(folder, 1);
    PackWriter clean = PackWriter.of(List.of(directory.read()), PackExamples.USER);
    assertThat(clean.replaced())
        .containsOnlyKeys("names of hosts and users", "paths", "values named like secrets");
    assertThat(clean.doubtful()).isEmpty();

    Files.writeString(
        directory.scenarioFile(),
        "# Measured on nas.lan by bob, in kvrank.home.\n",
        StandardOpenOption.APPEND);
    Path plan = directory.path().resolve("plan.json");
    Files.writeString(
        plan, Files.readString(plan).replace("on build-box?", "for carol@example.org?"));
    PackWriter pack = PackWriter.of(List.of(directory.read()), "bob");
    assertThat(pack.doubtful().keySet()).containsExactly("bob", "carol@example.org", "nas.lan");
    assertThat(pack.doubtful().get("nas.lan")).containsExactly(EXECUTION + "/scenario.yaml");
    assertThat(PackWriter.of(List.of(directory.read()), "rocksdb").doubtful())
        .containsKey("rocksdb");
  }

  @Test
  void oneMachineHasOneNameThatDoesNotShowItsHost() {
    Facts facts = new Facts().put(Fact.HOST, "a").put(Fact.CPU_CORES, 2);
    facts.put(Fact.CPU_MODEL, "AMD Ryzen 9 7950X 16-Core Processor");
    String name = MachineName.of(facts, new byte[] {1});

    assertThat(name).matches("ryzen-9-7950x-2cpu-[0-9a-f]{6}");
    assertThat(MachineName.of(facts, new byte[] {1})).isEqualTo(name);
    assertThat(MachineName.of(facts, new byte[] {2})).isNotEqualTo(name);
    assertThat(MachineName.of(new Facts(facts).put(Fact.HOST, "b"), new byte[] {1}))
        .isNotEqualTo(name);
    assertThat(MachineName.of(new Facts().put(Fact.HOST, name), new byte[] {9})).isEqualTo(name);
    assertThat(MachineName.of(new Facts(), new byte[] {1})).startsWith("unknown-0cpu-");
  }

  @Test
  void itsOwnPacksAreValid() throws Exception {
    assertThat(problems(packed(PackExamples.execution(folder, 1)))).isEmpty();
  }

  private static PackCheck check() {
    return new PackCheck(name -> Optional.empty());
  }

  private static List<Problem> problems(Path archive) throws IOException {
    return check().check(archive).problems();
  }

  @Test
  void executionsOfAScenarioMustMeasureTheSame() throws Exception {
    Path one = packed(PackExamples.execution(folder.resolve("a"), 1));
    one = Files.move(one, folder.resolve("one.tar.gz"));
    Path two = packed(PackExamples.execution(folder.resolve("b"), 1.1));
    Path other = changed(two, "scenario.yaml", PackTest::otherSettings, "other.tar.gz");
    PackCheck check = check();
    assertThat(check.check(one).problems()).isEmpty();
    assertThat(check.check(two).problems()).isEmpty();

    check = check();
    check.check(one);
    assertThat(messages(check.check(other).problems()))
        .containsExactly(
            EXECUTION
                + ": is not the scenario 'mine' of one.tar.gz: phases.get.workload.keys.distribution is zipfian instead of uniform, records is 5"
                + " instead of missing; measure it without --set, or under another name");
  }

  @Test
  void aPackOfOtherSettingsIsBlamedWhateverItsPlace() throws Exception {
    ResultsDirectory directory = PackExamples.execution(folder.resolve("b"), 1);
    Path good = packed(directory);
    Path bad =
        changed(
            packed(PackExamples.execution(folder.resolve("a"), 1.1)),
            "scenario.yaml",
            PackTest::otherSettings,
            "a.tar.gz");
    String shipped = texts(good).get(EXECUTION + "/scenario.yaml");
    PackCheck check = new PackCheck(name -> Optional.of(shipped));
    assertThat(messages(check.check(bad).problems()))
        .singleElement()
        .asString()
        .contains("is not the scenario 'mine' of this kvrank");
    assertThat(check.check(packed(directory)).problems()).isEmpty();

    check = new PackCheck(name -> Optional.of(shipped));
    try (OpenedPack pack = OpenedPack.of(good)) {
      ExecutionResults results = pack.read(pack.executions().get(0));
      assertThat(check.difference(results)).isEmpty();
      check = new PackCheck(name -> Optional.of(otherSettings(shipped)));
      assertThat(check.difference(results).orElseThrow())
          .contains("records is missing instead of 5; measure it without --set");
    }
  }

  /** Changes what is measured, and what is not. */
  private static String otherSettings(String text) {
    return text.replaceFirst(
            "name: get, keys: \\{distribution: uniform", "name: get, keys: {distribution: zipfian")
        .replace("repetitions: 4", "repetitions: 5")
        .replace("seed: 42", "seed: 43")
        .replace("Inserts all records.", "Loads.")
        .replace("fsync:", "records: 5\nfsync:");
  }

  @Test
  void aShippedScenarioMustBeTheShippedOne() throws Exception {
    Path archive = packed(PackExamples.execution(folder, 1));
    String shipped = texts(archive).get(EXECUTION + "/scenario.yaml");
    assertThat(new PackCheck(name -> Optional.of(shipped)).check(archive).problems()).isEmpty();
    wording.check(
        messages(
            new PackCheck(name -> Optional.of(otherSettings(shipped))).check(archive).problems()));
    String engines =
        shipped
            .replace("as: rocksdb", "as: lmdb")
            .replace("as: redis", "as: redis\n    options: {io-threads: 4}");
    assertThat(messages(new PackCheck(name -> Optional.of(engines)).check(archive).problems()))
        .anyMatch(text -> text.contains("engines.redis.options.io-threads is missing instead of 4"))
        .noneMatch(text -> text.contains("lmdb"));
  }

  @Test
  void thePlanMustBeThatOfTheScenario() throws Exception {
    Path archive = packed(PackExamples.execution(folder, 1));
    wording.check(check(archive, "plan.json", text -> text.replace("\"off\"", "\"on\"")));
    wording.check(
        check(archive, "scenario.yaml", text -> text.replace("medium: ssd", "medium: hdd")));
    wording.check(
        check(archive, "scenario.yaml", text -> text.replace("- as: mixed", "- as: other")));
  }

  @Test
  void aCopiedRunIsFound() throws Exception {
    Path archive = packed(PackExamples.execution(folder, 1));
    SortedMap<String, String> texts = texts(archive);
    String runs = EXECUTION + "/runs/";
    for (String file : List.of("latency.hlog", "timeline.csv", "resources.csv", "record.json")) {
      String of = texts.get(runs + "redis[off]1/" + file);
      texts.put(
          runs + "redis[off]2/" + file,
          of.replace("redis[off]1", "redis[off]2")
              .replace("\"repetition\" : 1", "\"repetition\" : 2")
              .replace("\"seed\" : 1", "\"seed\" : 2"));
    }
    Path copied = written(texts, "copied.tar.gz");
    assertThat(messages(problems(copied)))
        .anyMatch(
            text ->
                text.contains(
                    "runs/redis[off]2: latency.hlog: load, insert is a copy of the one in redis[off]1"))
        .anyMatch(text -> text.contains("started is 2026-01-02T03:04:05Z, before the end of run"));

    PackCheck check = check();
    assertThat(check.check(archive).problems()).isEmpty();
    Path again = Files.copy(archive, folder.resolve("again.tar.gz"));
    assertThat(messages(check.check(again).problems()))
        .containsExactly(
            EXECUTION
                + ": is also in "
                + archive.getFileName()
                + "; keep only the archive with more runs");
  }

  @Test
  void runsOfARepetitionBelongTogether() throws Exception {
    Path archive = packed(PackExamples.execution(folder, 1));
    String record = "runs/redis[off]1/record.json";
    wording.check(check(archive, record, text -> text.replace("\"seed\" : 1", "\"seed\" : 9")));
    wording.check(
        check(archive, record, text -> text.replace("\"repetition\" : 1", "\"repetition\" : 2")));
    wording.check(
        check(archive, record, text -> text.replace("\"repetition\" : 1", "\"repetition\" : 5")));
    assertThat(
            check(
                archive,
                record,
                text ->
                    text.replace("harness.heapLiveBytes\" : \"5", "harness.heapLiveBytes\" : \"9")))
        .anyMatch(text -> text.contains("load: harness.heapLiveBytes is 9"));
  }

  @Test
  void figuresThatContradictOthersAreFound() throws Exception {
    Path archive = packed(PackExamples.execution(folder, 1));
    String record = "runs/redis[off]1/record.json";

    wording.check(
        check(
            archive,
            record,
            text -> text.replaceFirst("\"throughput\" : 100.1,", "\"throughput\" : 900.1,")));
    wording.check(
        check(archive, record, text -> text.replaceFirst("\"p99\" : [0-9]+", "\"p99\" : 2713000")));
    wording.check(check(archive, record, text -> text.replace("\"redis\"", "\"valkey\"")));
    wording.check(check(archive, record, text -> text.replace("\"fsync\"", "\"batch\"")));
    wording.check(check(archive, record, text -> text.replace("started by", "in /home/me/x")));
    wording.check(
        check(archive, "environment.json", text -> text.replaceFirst("\"xeon[^\"]*", "\"pc7")));
    assertThat(check(archive, "plan.json", text -> text.substring(9)))
        .anyMatch(text -> text.contains("plan.json: broken"));
  }

  private List<String> check(Path archive, String file, UnaryOperator<String> change)
      throws Exception {
    return messages(problems(changed(archive, file, change, "changed.tar.gz")));
  }

  private static List<String> messages(List<Problem> problems) {
    return problems.stream().map(Problem::message).toList();
  }

  /** Writes the archive with another text of one file, and new sums. */
  private Path changed(Path archive, String file, UnaryOperator<String> change, String name)
      throws Exception {
    SortedMap<String, String> texts = texts(archive);
    String before = texts.get(EXECUTION + "/" + file);
    String after = change.apply(before);
    assertThat(after).isNotEqualTo(before);
    texts.put(EXECUTION + "/" + file, after);
    return written(texts, name);
  }

  private Path written(SortedMap<String, String> texts, String name) throws IOException {
    SortedMap<String, byte[]> bytes = new TreeMap<>();
    texts.forEach((each, text) -> bytes.put(each, text.getBytes(UTF_8)));
    bytes.put(PackLayout.SUMS, PackLayout.sums(bytes).getBytes(UTF_8));
    return archive(name, tar -> bytes.forEach((each, text) -> add(tar, each, text)));
  }

  private interface Entries {
    void addTo(TarArchiveOutputStream tar) throws IOException;
  }

  private Path archive(String name, Entries entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(bytes);
        TarArchiveOutputStream tar = new TarArchiveOutputStream(zip, "UTF-8")) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      entries.addTo(tar);
    }
    return Files.write(folder.resolve(name), bytes.toByteArray());
  }

  private static void add(TarArchiveOutputStream tar, String name, byte[] content) {
    try {
      TarArchiveEntry entry = new TarArchiveEntry(name, true);
      entry.setSize(content.length);
      tar.putArchiveEntry(entry);
      tar.write(content);
      tar.closeArchiveEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../evil",
        "/tmp/evil",
        "mine/x/../../../evil",
        "mine/../plan.json",
        ".ssh/x/plan.json",
        "mine/x/runs/../../../plan.json",
        "mine/x/runs/../record.json",
        "mine/x/runs/a/generators/../record.json",
        "mine/x/runs/a/b/record.json",
        "mine/x/server.log",
        "plan.json"
      })
  void onlyFilesOfResultsAreUnpacked(String name) throws Exception {
    Path archive = archive("evil.tar.gz", tar -> add(tar, name, new byte[] {'x'}));
    SortedMap<String, byte[]> before = tree();

    assertThatThrownBy(() -> OpenedPack.of(archive))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("evil.tar.gz: the entry '")
        .hasMessageContaining("is not a file of results");
    assertThat(tree().keySet()).isEqualTo(before.keySet());
  }

  private SortedMap<String, byte[]> tree() throws IOException {
    SortedMap<String, byte[]> tree = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files.forEach(file -> tree.put(file.toString(), new byte[0]));
    }
    return tree;
  }

  @ParameterizedTest
  @ValueSource(bytes = {TarConstants.LF_SYMLINK, TarConstants.LF_LINK, TarConstants.LF_FIFO})
  void linksAndDevicesAreRefused(byte kind) throws Exception {
    Path archive =
        archive(
            "evil.tar.gz",
            tar -> {
              TarArchiveEntry entry = new TarArchiveEntry(EXECUTION + "/plan.json", kind);
              entry.setLinkName("/etc/passwd");
              tar.putArchiveEntry(entry);
              tar.closeArchiveEntry();
            });

    assertThatThrownBy(() -> OpenedPack.of(archive))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("is not a plain file");
  }

  @Test
  void anArchiveThatInflatesIsRefusedEarly() throws Exception {
    Path archive =
        archive(
            "bomb.tar.gz",
            tar -> {
              TarArchiveEntry entry = new TarArchiveEntry(EXECUTION + "/plan.json");
              entry.setSize(80L << 20);
              tar.putArchiveEntry(entry);
              byte[] zeros = new byte[1 << 20];
              for (int i = 0; i < 80; i++) {
                tar.write(zeros);
              }
              tar.closeArchiveEntry();
            });

    assertThat(Files.size(archive)).isLessThan(1 << 20);
    assertThatThrownBy(() -> OpenedPack.of(archive))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("bomb.tar.gz: has more than 65 MiB for one file");
  }

  /** All kinds of headers that the reader keeps in memory: of names, links and any keys. */
  @ParameterizedTest
  @ValueSource(chars = {'L', 'K', 'x', 'X', 'g'})
  void longHeadersAreRefused(char kind) throws Exception {
    byte[] header = "21 comment=123456789\n".repeat(1000).getBytes(UTF_8);
    Path archive =
        archive(
            "headers.tar.gz",
            tar -> {
              addHeader(tar, kind, header);
              add(tar, EXECUTION + "/plan.json", bytes("{}"));
            });
    assertThatThrownBy(() -> OpenedPack.of(archive))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("headers.tar.gz: has more than 16 KiB of headers for one file");
  }

  /** The reader keeps global ones from entry to entry, also from those of folders. */
  @ParameterizedTest
  @ValueSource(chars = {'x', 'g'})
  void headersWithOtherKeysAreRefused(char kind) throws Exception {
    for (String name : List.of("mine/", EXECUTION + "/plan.json")) {
      Path archive =
          archive(
              "headers.tar.gz",
              tar -> {
                addHeader(tar, kind, bytes("20 comment=12345678\n"));
                add(tar, name, new byte[0]);
              });
      assertThatThrownBy(() -> OpenedPack.of(archive))
          .isInstanceOf(UnreadableException.class)
          .hasMessageContaining("has headers with other keys; 'kvrank pack' never writes that");
    }
  }

  private static void addHeader(TarArchiveOutputStream tar, char kind, byte[] content)
      throws IOException {
    TarArchiveEntry header = new TarArchiveEntry("header", (byte) kind);
    if (kind == 'g') {
      header.addPaxHeader("comment", "1".repeat(content.length));
      tar.putArchiveEntry(header);
      return;
    }
    header.setSize(content.length);
    tar.putArchiveEntry(header);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  @Test
  void namesMayBeAsLongAsThoseOfFiles() throws Exception {
    String name = "m".repeat(255) + "/" + "x".repeat(255) + "/runs/" + "数".repeat(80);
    SortedMap<String, String> texts = new TreeMap<>();
    texts.put(EXECUTION + "/plan.json", "{}");
    texts.put(name + "/generators/1234/generators.csv", "x");
    try (OpenedPack pack = OpenedPack.of(written(texts, "long.tar.gz"))) {
      assertThat(pack.sums().keySet()).isEqualTo(texts.keySet());
    }
  }

  @Test
  void anErrorLeavesNothingBehind() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Path failing =
        (Path)
            Proxy.newProxyInstance(
                Path.class.getClassLoader(),
                new Class<?>[] {Path.class},
                (path, method, arguments) -> {
                  throw new OutOfMemoryError("test");
                });
    assertThatThrownBy(() -> OpenedPack.of(failing, temporary))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(temporary).isEmptyDirectory();
  }

  /** The readers of both formats call themselves for each. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anArchiveOfMillionsOfEmptyPartsIsRefusedAndLeavesNothing(boolean members) throws Exception {
    Path archive =
        archive(
            "empty.tar.gz",
            tar -> {
              for (int i = 0; i < 130_000 && !members; i++) {
                tar.putArchiveEntry(new TarArchiveEntry("name", TarConstants.LF_GNUTYPE_LONGNAME));
                tar.closeArchiveEntry();
              }
            });
    if (members) {
      byte[] empty = Files.readAllBytes(archive("one.tar.gz", tar -> {}));
      ByteArrayOutputStream member = new ByteArrayOutputStream();
      new GZIPOutputStream(member).close();
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(archive))) {
        for (int i = 0; i < 3_000_000; i++) {
          member.writeTo(out);
        }
        out.write(empty);
      }
    }
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    assertThatThrownBy(() -> OpenedPack.of(archive, temporary))
        .isInstanceOf(UnreadableException.class)
        .hasMessageMatching(
            ".*empty.tar.gz: (is not an archive of 'kvrank pack'|has more than 16 KiB).*");
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void sumsMustBeThoseOfTheFiles() throws Exception {
    SortedMap<String, byte[]> files = new TreeMap<>(Map.of(EXECUTION + "/plan.json", bytes("{}")));
    byte[] sums = bytes(PackLayout.sums(files));

    assertThatThrownBy(
            () ->
                OpenedPack.of(
                    archive("a.tar.gz", tar -> add(tar, EXECUTION + "/plan.json", bytes("{}")))))
        .hasMessageContaining("has no SHA256SUMS");
    refused(sums, "was changed", Map.of(EXECUTION + "/plan.json", bytes("{ }")));
    refused(sums, "is missing", Map.of());
    refused(new byte[] {-1}, "is not listed", Map.of(EXECUTION + "/plan.json", bytes("{}")));
    refused(
        sums,
        "is not listed",
        Map.of(
            EXECUTION + "/plan.json", bytes("{}"), EXECUTION + "/environment.json", bytes("{}")));
  }

  private void refused(byte[] sums, String why, Map<String, byte[]> files) throws IOException {
    Path archive =
        archive(
            "sums.tar.gz",
            tar -> {
              add(tar, PackLayout.SUMS, sums);
              new TreeMap<>(files).forEach((name, text) -> add(tar, name, text));
            });
    assertThatThrownBy(() -> OpenedPack.of(archive))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining(why);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void filesThatAreNoArchivesAreRefused() throws Exception {
    Path plain = Files.writeString(folder.resolve("plain.tar.gz"), "question: Which?\n");
    assertThatThrownBy(() -> OpenedPack.of(plain))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("is not an archive of 'kvrank pack', or is broken");

    byte[] whole = Files.readAllBytes(packed(PackExamples.execution(folder, 1)));
    Path cut = Files.write(folder.resolve("cut.tar.gz"), Arrays.copyOf(whole, 900));
    assertThatThrownBy(() -> OpenedPack.of(cut)).isInstanceOf(UnreadableException.class);
    assertThat(new TreeSet<>(messages(problems(cut)))).hasSize(1);
  }
}
