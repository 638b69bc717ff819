package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Engines that cheat, most of them unseen by a count of flushes, lose acknowledged writes in a
 * power cut. Their honest twins do not.
 */
class PowerCutIT extends InstalledKvrank {

  /** 10 gives the table of {@code docs/explanation/validation.md}. */
  private static final int EXECUTIONS = Integer.getInteger("kvrank.cheats", 1);

  private static final boolean REQUIRED = "true".equals(System.getenv("KVRANK_REQUIRE_POWER_CUT"));

  /** An execution cuts the power until a cheat is caught, but not more often; 5 for the table. */
  private static final int CUTS = EXECUTIONS == 1 ? 8 : 5;

  private static final List<String> KEPT = List.of("none", "some", "written-back");

  private static final List<String> HONEST = List.of("honest", "synced-rename");
  private static final List<String> CHEATS =
      List.of(
          "other-file",
          "growing-decoy",
          "before-write",
          "every-kth",
          "joins-flush",
          "single-client",
          "sleep",
          "unsynced-rename",
          "ends-with-0",
          "ends-with-143",
          "kills-itself");

  /** How a Redis ends that syncs another file, when it is restarted. */
  private static final List<String> ENDINGS = List.of("exit 0", "exit 143", "kill -9 $$");

  /** An engine in a scenario, by its mode. */
  private static final String ENTRY = "{engine: cheat, as: %1$s, options: {mode: %1$s}}";

  /** Modes of {@code cheat.c}. */
  private static final List<String> PRELOADED =
      EXECUTIONS == 1 ? List.of("other", "before") : List.of("other", "growing", "before", "sleep");

  /** The findings after a cut; without numbers if the engine did not come back. */
  private static final Pattern FOUND =
      Pattern.compile(
          "\"lostWrites\" : (?:null|\\{[^}]*?\"lostInserts\" : (\\d+),\\s*\"lostUpdates\" : (\\d+),"
              + "\\s*\"lostDeletes\" : (\\d+),\\s*\"wrongValues\" : (\\d+))");

  private static final Pattern UNAVAILABLE =
      Pattern.compile("\"reason\" : \"(unsupported: [^\"]*)");
  private static final Pattern VERDICT = Pattern.compile("\"verdict\" : \"([^\"]*)\"");

  private static final String SCENARIO =
      """
      question: Which engine loses what it has acknowledged?
      engines: [%s]
      fsync: on
      records: 300
      threads: 4
      value-bytes: 1000
      phases: [load]
      verify: {after: power-cut, crashes: %d, keep: [%s], sync: 1ms@LIFETIME@}
      repetitions: 1
      """
          .replace("@LIFETIME@", EXECUTIONS == 1 ? ", lifetime: 500ms" : "");

  /** The entry of each engine in a scenario, by its name there. */
  private final SortedMap<String, String> honest = new TreeMap<>();

  private final SortedMap<String, String> cheats = new TreeMap<>();

  /** The executions that found a loss, by engine, and the cuts with and without one. */
  private final SortedMap<String, Integer> caught = new TreeMap<>();

  private final SortedMap<String, List<Boolean>> losses = new TreeMap<>();

  private final SortedMap<String, String> verdicts = new TreeMap<>();

  @BeforeEach
  void addEngines() throws Exception {
    Path folder = Files.createDirectory(home.resolve("bindings/cheat"));
    Files.writeString(
        folder.resolve("engine.yaml"),
        """
        description: A map with a log, which is as honest as an option says.
        install: "nothing: it is part of a test"
        binding:
          class: kvrank.cheat.CheatBinding
          classpath: ["%s"]
          properties: {dir: "${data}", mode: honest, elsewhere: "%s"}
        capabilities: [read, insert, update, delete]
        fsync: {on: {}, off: {unsupported: it always syncs}}
        embedded: true
        """
            .formatted(PROJECT.resolve("launcher/target/test-classes"), home.resolve("elsewhere")));
    HONEST.forEach(mode -> honest.put(mode, ENTRY.formatted(mode)));
    CHEATS.forEach(mode -> cheats.put(mode, ENTRY.formatted(mode)));
    honest.put("redis", "{engine: redis, server: {bundled: true}}");
    Path library = home.resolve("cheat.so");
    if (!compile(library)) {
      return;
    }
    for (String mode : PRELOADED) {
      addRedis(mode, "", library, mode);
    }
    for (String ending : ENDINGS) {
      String name = ending.replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
      Path marks = Files.createDirectory(home.resolve("marks-" + name));
      // Each second start is a restart; the folder's path belongs to one disk.
      String restart =
          "mark='%s'/$(pwd | tr -c 'a-z0-9\\n' _); rmdir \"$mark\" 2>/dev/null && %s; mkdir \"$mark\""
              .formatted(marks, ending);
      addRedis(name, restart, library, "other");
    }
  }

  private void addRedis(String mode, String before, Path library, String cheat) throws Exception {
    Path server = home.resolve("redis-" + mode + ".sh");
    Files.writeString(
        server,
        """
        #!/bin/sh
        %s
        LD_PRELOAD='%s' CHEAT=%s exec '%s' "$@"
        """
            .formatted(before, library, cheat, bundledRedis()));
    assertThat(server.toFile().setExecutable(true)).isTrue();
    String name = "redis-" + mode;
    cheats.put(name, "{engine: redis, as: %s, server: {process: '%s'}}".formatted(name, server));
  }

  private boolean compile(Path library) throws IOException, InterruptedException {
    Path source = home.resolve("cheat.c");
    try (InputStream text = PowerCutIT.class.getResourceAsStream("/cheat.c")) {
      Files.copy(text, source);
    }
    Execution compiler =
        Execution.shell(home, "cc -shared -fPIC -o '%s' '%s' -ldl".formatted(library, source));
    if (compiler.status() == 0) {
      return true;
    }
    assertThat(REQUIRED).as("cc is required, and fails: %s", compiler.text()).isFalse();
    System.out.println("no Redis that cheats is tried: cc fails: " + compiler.text());
    return false;
  }

  @Test
  void cheatsLoseAcknowledgedWritesAndTheirHonestTwinsDoNot() throws Exception {
    for (int execution = 1; execution <= EXECUTIONS; execution++) {
      Set<String> uncaught = new TreeSet<>(cheats.keySet());
      for (int cut = 1; cut <= CUTS && !uncaught.isEmpty(); cut++) {
        String kept = KEPT.get((execution + cut - 2) % KEPT.size());
        uncaught = cut("cut-%d-%d".formatted(execution, cut), cheats, uncaught, 1, kept);
      }
      cut("twins-" + execution, honest, honest.keySet(), EXECUTIONS, "some, written-back, none");
    }

    String table =
        Stream.of(honest, cheats)
            .flatMap(engines -> engines.keySet().stream())
            .map(this::row)
            .collect(Collectors.joining());
    System.out.println(table);
    assertThat(honest.keySet()).as(table).doesNotContainAnyElementsOf(caught.keySet());
    assertThat(cheats.keySet())
        .as(table)
        .allMatch(engine -> 10 * caught.getOrDefault(engine, 0) >= 9 * EXECUTIONS);
    assertNothingLeft();
  }

  /** The worker sees a failed write before the controller sees that the server was killed. */
  @Test
  void anEngineThatSomeoneKillsOnceWhileItWritesIsExcused() throws Exception {
    String script =
        """
        case $(pwd) in
          */data-*.crash-*)
            mkdir '%s' && {
              until [ -n "$(find . -size +16k)" ]; do sleep 0.01; done
              kill -9 $$
            } &
            ;;
        esac
        """;
    assertThat(recordOfRedis("killed", script, 1))
        .containsPattern("\"repeated\" : \\[ \"[^\"]*was killed by SIGKILL")
        .contains("\"hidden\" : [ ]");
  }

  /** Nor can it stop itself to hide a loss. */
  @Test
  void anEngineThatSomeoneStopsAfterEachCutIsContinued() throws Exception {
    String script =
        """
        case $(ls) in
          *appendonly*)
            mkdir -p '%s'
            kill -STOP $$
            ;;
        esac
        """;
    assertThat(recordOfRedis("stopped", script, 2))
        .contains("\"repeated\" : [ ]", "\"hidden\" : [ ]");
  }

  /**
   * Cuts the power of a Redis, whose start runs {@code script} first; returns the record.
   *
   * @param script with a place for the path of a folder, which it creates when it has acted
   */
  private String recordOfRedis(String name, String script, int crashes) throws Exception {
    Path done = home.resolve(name);
    Path server = home.resolve(name + ".sh");
    String start = "exec '%s' \"$@\"\n".formatted(bundledRedis());
    Files.writeString(server, "#!/bin/sh\n" + script.formatted(done) + start);
    assertThat(server.toFile().setExecutable(true)).isTrue();
    String entry = "{engine: redis, server: {process: '%s'}}".formatted(server);
    scenario(name, SCENARIO.formatted(entry, crashes, "none"));
    Execution run = kvrank("run", name, "--allow-commands");
    assertThat(run.status()).as(run.text()).isZero();
    String record = record(name, "redis.r1");
    skipIfUnavailable(record);
    assertThat(done).isDirectory();
    assertNothingLeft();
    return record;
  }

  /** They make durable what an engine only wrote. */
  @Test
  void syncsOfOthersMakeACutVoid() throws Exception {
    scenario("synced", SCENARIO.formatted(ENTRY.formatted("honest"), 1, "none"));
    Process syncing = new ProcessBuilder("sh", "-c", "while sleep 0.2; do sync; done").start();
    try {
      Execution run = kvrank("run", "synced", "--allow-commands");
      assertThat(run.status()).as(run.text()).isEqualTo(1);
      String record = record("synced", "honest.r1");
      skipIfUnavailable(record);
      assertThat(record)
          .contains("\"reason\" : \"power cut 1: all file systems of this machine were synced ")
          .contains("\"cause\" : \"outsider\"");
      assertThat(run.text()).doesNotContain("lost nothing");
    } finally {
      syncing.destroyForcibly().waitFor();
    }
    assertNothingLeft();
  }

  /** The power of the disk that it writes to is not cut. */
  @Test
  void anEngineThatDoesNotFlushTheDiskIsNotProven() throws Exception {
    scenario("elsewhere", SCENARIO.formatted(ENTRY.formatted("elsewhere"), 1, "none"));
    Execution run = kvrank("run", "elsewhere", "--allow-commands");
    assertThat(run.status()).as(run.text()).isZero();
    skipIfUnavailable(record("elsewhere", "elsewhere.r1"));
    assertThat(run.text())
        .contains(
            "without a loss, but fewer flushes of the",
            "elsewhere is not proven (1 of 1 power cut proved nothing)");
    assertNothingLeft();
  }

  private String row(String engine) {
    return "| %s | %s | %d of %d | %d of %d |%n"
        .formatted(
            engine,
            verdicts.get(engine),
            caught.getOrDefault(engine, 0),
            EXECUTIONS,
            losses.get(engine).stream().filter(lost -> lost).count(),
            losses.get(engine).size());
  }

  /** Runs the named engines, and returns those that lost nothing. */
  private Set<String> cut(
      String name, SortedMap<String, String> entries, Set<String> engines, int cuts, String kept)
      throws Exception {
    String engineList =
        engines.stream().map(engine -> entries.get(engine)).collect(Collectors.joining(", "));
    scenario(name, SCENARIO.formatted(engineList, cuts, kept));
    Execution run = kvrank("run", name, "--allow-commands");
    assertThat(run.status()).as(run.text()).isIn(0, 1);
    Set<String> unharmed = new TreeSet<>();
    for (String engine : engines) {
      String record = record(name, engine + ".r1");
      skipIfUnavailable(record);
      List<Boolean> found = FOUND.matcher(record).results().map(PowerCutIT::lost).toList();
      assertThat(found).as(record).hasSize(cuts);
      losses.computeIfAbsent(engine, first -> new ArrayList<>()).addAll(found);
      verdicts.computeIfAbsent(engine, first -> verdict(record));
      if (found.contains(true)) {
        caught.merge(engine, 1, Integer::sum);
      } else {
        unharmed.add(engine);
      }
    }
    if (entries == honest || unharmed.size() < engines.size()) {
      assertThat(run.status()).as(run.text()).isEqualTo(entries == honest ? 0 : 1);
    }
    return unharmed;
  }

  private static boolean lost(MatchResult found) {
    return IntStream.rangeClosed(1, found.groupCount())
        .anyMatch(group -> !"0".equals(found.group(group)));
  }

  private static String verdict(String record) {
    Matcher verdict = VERDICT.matcher(record);
    assertThat(verdict.find()).as(record).isTrue();
    return verdict.group(1);
  }

  private static void skipIfUnavailable(String record) {
    Matcher reason = UNAVAILABLE.matcher(record);
    if (reason.find()) {
      assertThat(REQUIRED).as(reason.group(1)).isFalse();
      System.out.println("no power is cut: " + reason.group(1));
      abort(reason.group(1));
    }
  }
}
