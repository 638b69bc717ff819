package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import kvrank.worker.protocol.CommandReader;
import kvrank.worker.protocol.MessageLines;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.random.Distribution;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Slice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker as one of several machines, here of one JVM. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GeneratorTest {

  @TempDir private Path folder;

  private Specs specs(String store) {
    return new Specs(folder.resolve(store))
        .binding(RecordingBinding.class)
        .load(Distribution.UNIFORM, 8, 1)
        .mix(
            Map.of(
                Operation.READ, 5, Operation.UPDATE, 2, Operation.INSERT, 2, Operation.DELETE, 1),
            8,
            1,
            4_000)
        .mix(Map.of(Operation.READ, 1, Operation.INSERT, 1), 8, 1, 1_000)
        .mix(Distribution.LATEST, Map.of(Operation.READ, 1), 8, 1, 1_000);
  }

  @Test
  void theRequestsDoNotDependOnTheNumberOfMachines() throws Exception {
    Run.of(specs("alone"));
    assertThat(digests("alone")).hasSize(8);

    for (int machines : new int[] {1, 2, 4, 8}) {
      String store = "of-" + machines;
      List<WorkerMessage> said = onMachines(specs(store).spec(), machines);

      assertThat(digests(store)).isEqualTo(digests("alone"));
      assertThat(MemoryBinding.store(folder.resolve(store).toString()))
          .containsOnlyKeys(MemoryBinding.store(folder.resolve("alone").toString()).keySet());
      assertThat(said)
          .filteredOn(WorkerMessage.Finished.class::isInstance)
          .hasSize(4 * machines)
          .allSatisfy(
              each -> assertThat(((WorkerMessage.Finished) each).result().incorrect()).isZero());
      assertThat(folder.resolve(store)).doesNotExist();
    }
  }

  private Set<String> digests(String store) {
    return new TreeSet<>(RecordingBinding.digests(folder.resolve(store).toString()));
  }

  /** The messages of workers on several machines, which a controller leads through all phases. */
  private static List<WorkerMessage> onMachines(WorkerSpec spec, int machines) throws Exception {
    BlockingQueue<WorkerMessage> said = new LinkedBlockingQueue<>();
    List<OutputStream> inputs = new ArrayList<>();
    List<CompletableFuture<Void>> workers = new ArrayList<>();
    for (int part = 0; part < machines; part++) {
      PipedInputStream input = new PipedInputStream();
      inputs.add(new PipedOutputStream(input));
      Slice slice = new Slice(part, machines);
      CommandReader commands = new CommandReader(input, () -> {});
      commands.listen();
      Worker worker = new Worker(spec, Optional.of(slice), commands, said::add);
      workers.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  worker.run();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              command -> new Thread(command).start()));
    }
    List<WorkerMessage> all = new ArrayList<>();
    await(said, machines, WorkerMessage.Ready.class, all);
    for (WorkerPhase phase : spec.phases()) {
      tell(inputs, new WorkerCommand.Start(phase.name()));
      boolean load = phase.kind() == WorkerPhase.Kind.LOAD;
      for (int barrier = 0; barrier < (load ? 2 : 1); barrier++) {
        await(said, machines, WorkerMessage.Arrived.class, all);
        tell(inputs, new WorkerCommand.Go(System.nanoTime() + 10_000_000));
      }
      await(said, machines, WorkerMessage.Finished.class, all);
    }
    tell(inputs, new WorkerCommand.Stop());
    for (CompletableFuture<Void> worker : workers) {
      worker.get();
    }
    return all;
  }

  private static void tell(List<OutputStream> inputs, WorkerCommand command) throws Exception {
    for (OutputStream input : inputs) {
      input.write((command.encode() + "\n").getBytes(StandardCharsets.US_ASCII));
      input.flush();
    }
  }

  private static void await(
      BlockingQueue<WorkerMessage> said,
      int number,
      Class<? extends WorkerMessage> type,
      List<WorkerMessage> all)
      throws InterruptedException {
    for (int left = number; left > 0; ) {
      WorkerMessage message = said.take();
      all.add(message);
      left -= type.isInstance(message) ? 1 : 0;
    }
  }

  @Test
  void aLineForAnotherMachineIsNotHeard() throws Exception {
    List<WorkerMessage> answers = new ArrayList<>();
    CommandReader commands =
        new CommandReader(
            Run.lines(
                new WorkerCommand.To(1, new WorkerCommand.Start("other")),
                new WorkerCommand.Clock(7),
                new WorkerCommand.To(0, new WorkerCommand.Start("mine")),
                new WorkerCommand.Start("all"),
                new WorkerCommand.Stop()),
            () -> {});
    commands.listen(new Slice(0, 2), answers::add);

    assertThat(commands.next()).isEqualTo(new WorkerCommand.Start("mine"));
    assertThat(commands.next()).isEqualTo(new WorkerCommand.Start("all"));
    assertThat(answers)
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerMessage.Clock.class, clock -> assertThat(clock.round()).isEqualTo(7));
  }

  @Test
  void aLongMessageComesInPiecesThatSlurmDoesNotCut() {
    String message = new WorkerMessage.Written("latency.hlog", "x\\y\n".repeat(1_000)).encode();
    MessageLines lines = new MessageLines();

    List<String> pieces = MessageLines.split(message);
    assertThat(pieces).hasSizeGreaterThan(9).allMatch(piece -> piece.length() < 1_000);
    List<String> joined = pieces.stream().map(lines::join).flatMap(Optional::stream).toList();
    assertThat(joined).containsExactly(message);
    assertThat(lines.join("next")).contains("next");
  }
}
