package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.results.GeneratorFiles;
import kvrank.results.RunDirectory;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratorsTest {

  private static final String JAVA = Runtime.version().toString();

  @TempDir Path folder;

  /** What is heard of two generators of which the second has this Java and build. */
  private List<WorkerMessage> heard(String java, String build) {
    return heard(host("n1", JAVA, "1a2b"), host("n2", java, build));
  }

  private List<WorkerMessage> heard(Facts first, Facts second) {
    List<WorkerMessage> heard = new ArrayList<>();
    try (Generators all = two(heard)) {
      all.heard(1, new WorkerMessage.Ready(second));
      assertThat(heard).isEmpty();
      all.heard(0, new WorkerMessage.Ready(first));
      assertThat(all.refused())
          .isEqualTo(
              !second.text(Fact.GENERATOR_JAVA).equals(JAVA)
                  || !second.text(Fact.GENERATOR_BUILD).equals("1a2b"));
      return heard;
    }
  }

  private Generators two(List<WorkerMessage> heard) {
    return new Generators(
        2, "1a2b", new GeneratorFiles(new RunDirectory(folder), 2), command -> {}, heard::add);
  }

  private static Facts host(String name, String java, String build) {
    return new Facts()
        .put(Fact.GENERATOR_HOST, name)
        .put(Fact.GENERATOR_CORES, 2)
        .put(Fact.GENERATOR_JAVA, java)
        .put(Fact.GENERATOR_BUILD, build);
  }

  @Test
  void generatorsAreOfOneKind() {
    assertThat(heard(JAVA, "1a2b"))
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerMessage.Ready.class,
            ready ->
                assertThat(ready.facts().asMap())
                    .containsEntry("generators.hosts", "n1,n2")
                    .containsEntry("generators.cpus", "4"));
    assertThat(heard("11.0.2", "1a2b"))
        .containsExactly(
            new WorkerMessage.Failed(
                "", Cause.HARNESS, "generator 1 (on n2) has Java 11.0.2, this machine " + JAVA));
    assertThat(heard(JAVA, "ffff"))
        .containsExactly(
            new WorkerMessage.Failed(
                "",
                Cause.HARNESS,
                "generator 1 (on n2) has another build of kvrank; all machines need the same one"));
  }

  /** Each generator's answer counts, not only the first one's. */
  @Test
  void engineFactsOfEachGeneratorAreKept() {
    assertThat(
            heard(
                host("n1", JAVA, "1a2b")
                    .put(Fact.ENGINE, "version", "7.0")
                    .put(Fact.ENGINE, "a", "1"),
                host("n2", JAVA, "1a2b")
                    .put(Fact.ENGINE, "version", "7.2")
                    .put(Fact.ENGINE, "a", "1")))
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerMessage.Ready.class,
            ready ->
                assertThat(ready.facts().asMap())
                    .containsEntry("engine.version", "7.0 and 7.2")
                    .containsEntry("engine.a", "1"));
  }

  @Test
  void anUndeclaredFactIsADefect() {
    assertThat(
            heard(
                host("n1", JAVA, "1a2b"),
                Facts.of(Map.of("x", "1")).putAll(host("n2", JAVA, "1a2b"))))
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerMessage.Failed.class,
            failed ->
                assertThat(failed.message())
                    .startsWith("the generators' reports cannot be merged: a defect of kvrank: ")
                    .contains("a generator reports 'x', for which kvrank.fact.Fact declares no"));
  }

  /**
   * A generator whose part of a load is short goes two steps ahead of one that is slow to report.
   */
  @Test
  void aGeneratorMayBeTwoReportsAhead() {
    List<WorkerMessage> heard = new ArrayList<>();
    try (Generators all = two(heard)) {
      all.heard(1, new WorkerMessage.Measuring("load", System.nanoTime()));
      all.heard(1, new WorkerMessage.Arrived());
      all.heard(0, new WorkerMessage.Measuring("load", System.nanoTime()));
      all.heard(0, new WorkerMessage.Arrived());
      assertThat(all.lost()).isEmpty();
    }
    assertThat(heard).singleElement().isInstanceOf(WorkerMessage.Measuring.class);
  }

  /**
   * A single generator, which waits for no other, begins as soon as its threads can see the moment
   * coming.
   */
  @Test
  void aSingleGeneratorDoesNotWait() {
    // A pause while the clocks are compared makes the first longer, one afterwards the second
    // shorter.
    long[] single = IntStream.range(0, 10).mapToLong(i -> leadNanos(1)).toArray();
    long[] both = IntStream.range(0, 10).mapToLong(i -> leadNanos(2)).toArray();
    assertThat(2 * Arrays.stream(single).min().orElseThrow())
        .isLessThan(Arrays.stream(both).max().orElseThrow());
  }

  /** Returns the time until the start that generators get whose answers come at once. */
  private long leadNanos(int number) {
    List<WorkerCommand> told = new ArrayList<>();
    try (Generators all =
        new Generators(
            number, "", new GeneratorFiles(new RunDirectory(folder), number), told::add, m -> {})) {
      for (int each = 0; each < number; each++) {
        all.heard(each, new WorkerMessage.Arrived());
      }
      for (int line = 0; told.get(told.size() - 1) instanceof WorkerCommand.Clock; line++) {
        long round = ((WorkerCommand.Clock) told.get(line)).round();
        for (int each = 0; each < number; each++) {
          all.heard(each, new WorkerMessage.Clock(round, 0, System.nanoTime()));
        }
      }
    }
    WorkerCommand.To last = (WorkerCommand.To) told.get(told.size() - 1);
    return ((WorkerCommand.Go) last.command()).nanos() - System.nanoTime();
  }
}
