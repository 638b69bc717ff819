package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.GeneratorFiles;
import kvrank.results.RunDirectory;
import kvrank.worker.Host;
import kvrank.worker.WorkerCommand;
import kvrank.worker.WorkerMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratorsTest {

  private static final String JAVA = Runtime.version().toString();

  @TempDir Path folder;

  /** What is heard of two generators of which the second has this Java and build. */
  private List<WorkerMessage> heard(String java, String build) {
    List<WorkerMessage> heard = new ArrayList<>();
    try (Generators all =
        new Generators(
            2,
            "1a2b",
            new GeneratorFiles(new RunDirectory(folder), 2),
            command -> {},
            heard::add)) {
      all.heard(1, new WorkerMessage.Ready(host("n2", java, build)));
      assertThat(heard).isEmpty();
      all.heard(0, new WorkerMessage.Ready(host("n1", JAVA, "1a2b")));
      assertThat(all.refused()).isEqualTo(!java.equals(JAVA) || !build.equals("1a2b"));
      return heard;
    }
  }

  private static SortedMap<String, String> host(String name, String java, String build) {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put(Host.NAME, name);
    facts.put(Host.CORES, "2");
    facts.put(Host.JAVA, java);
    facts.put(Host.BUILD, build);
    return facts;
  }

  @Test
  void generatorsAreOfOneKind() {
    assertThat(heard(JAVA, "1a2b"))
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerMessage.Ready.class,
            ready ->
                assertThat(ready.facts())
                    .containsEntry("generators.hosts", "n1,n2")
                    .containsEntry("generators.cpus", "4"));
    assertThat(heard("11.0.2", "1a2b"))
        .containsExactly(
            new WorkerMessage.Failed(
                "", "generator 1 (on n2) has Java 11.0.2, this machine " + JAVA));
    assertThat(heard(JAVA, "ffff"))
        .containsExactly(
            new WorkerMessage.Failed(
                "", "generator 1 (on n2) has another kvrank; all machines need the same build"));
  }

  /** One that has nobody to wait for begins as soon as its threads can see the moment coming. */
  @Test
  void oneAloneIsNotKeptWaiting() {
    assertThat(leadNanos(1)).isLessThan(leadNanos(2));
  }

  /** Returns how far ahead the moment is that so many are told, whose answers come at once. */
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
