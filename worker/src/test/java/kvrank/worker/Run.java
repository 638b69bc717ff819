package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.worker.protocol.CommandReader;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.request.Operation;

/** A worker that ran in this JVM, told to do every phase. */
public final class Run {

  private final List<WorkerMessage> reports = new CopyOnWriteArrayList<>();

  private Run() {}

  public static Run of(Specs specs) throws Exception {
    return of(specs, new WorkerCommand.Stop());
  }

  /** One that checks after the last phase which records exist. */
  static Run looking(Specs specs) throws Exception {
    return of(specs, new WorkerCommand.Look(), new WorkerCommand.Stop());
  }

  private static Run of(Specs specs, WorkerCommand... end) throws Exception {
    Stream<WorkerCommand> phases =
        specs.spec().phases().stream().map(phase -> new WorkerCommand.Start(phase.name()));
    return run(specs, Stream.concat(phases, Stream.of(end)).toArray(WorkerCommand[]::new));
  }

  /** One that is given only this command. */
  public static Run commanded(Specs specs, WorkerCommand only) throws Exception {
    return run(specs, only, new WorkerCommand.Stop());
  }

  private static Run run(Specs specs, WorkerCommand... all) throws Exception {
    WorkerSpec spec = specs.spec();
    CommandReader commands =
        new CommandReader(lines(all), () -> fail("the controller is not gone"));
    commands.listen();
    Run run = new Run();
    new Worker(spec, Optional.empty(), commands, run.reports::add).run();
    return run;
  }

  /** What the controller writes to give {@code commands}. */
  static InputStream lines(WorkerCommand... commands) {
    String lines =
        Stream.of(commands).map(command -> command.encode() + "\n").collect(Collectors.joining());
    return new ByteArrayInputStream(lines.getBytes(StandardCharsets.US_ASCII));
  }

  public List<WorkerMessage> reports() {
    return reports;
  }

  public PhaseResult result(String phase) {
    return reports.stream()
        .filter(WorkerMessage.Finished.class::isInstance)
        .map(report -> ((WorkerMessage.Finished) report).result())
        .filter(result -> result.phase().equals(phase))
        .findFirst()
        .orElseThrow();
  }

  /** The first message of that type. */
  public <R extends WorkerMessage> R report(Class<R> type) {
    return reports.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  /** A fact of what it saw when it looked. */
  long seen(Fact fact) {
    return reports.stream()
        .filter(WorkerMessage.Looked.class::isInstance)
        .mapToLong(report -> ((WorkerMessage.Looked) report).facts().whole(fact))
        .findFirst()
        .orElseThrow();
  }

  public OperationCount count(String phase, Operation operation) {
    return result(phase).operations().get(operation.label());
  }

  /** All of {@code ok} were OK, nothing was missing or wrong. */
  public void assertAllOk(String phase, Operation operation, long ok) {
    assertThat(count(phase, operation))
        .isEqualTo(new OperationCount(ok, 0, new java.util.TreeMap<>()));
    assertThat(result(phase).incorrect()).isZero();
  }
}
