package kvrank.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import kvrank.workload.Operation;

/** A worker that ran in this JVM, told to do every phase. */
final class Run {

  private final List<WorkerMessage> reports = new CopyOnWriteArrayList<>();

  private Run() {}

  static Run of(Specs specs) throws Exception {
    return of(specs, "stop\n");
  }

  /** One that looks after the last phase which records are there. */
  static Run looking(Specs specs) throws Exception {
    return of(specs, "look\nstop\n");
  }

  private static Run of(Specs specs, String end) throws Exception {
    WorkerSpec spec = specs.spec();
    String told =
        spec.phases().stream()
            .map(phase -> "start " + phase.name() + "\n")
            .collect(Collectors.joining("", "", end));
    Commands commands =
        new Commands(
            new ByteArrayInputStream(told.getBytes(StandardCharsets.UTF_8)),
            () -> fail("the controller is not gone"));
    commands.listen();
    Run run = new Run();
    new Worker(spec, Optional.empty(), commands, run.reports::add).run();
    return run;
  }

  List<WorkerMessage> reports() {
    return reports;
  }

  PhaseResult result(String phase) {
    return reports.stream()
        .filter(WorkerMessage.Finished.class::isInstance)
        .map(report -> ((WorkerMessage.Finished) report).result())
        .filter(result -> result.phase().equals(phase))
        .findFirst()
        .orElseThrow();
  }

  /** A fact of what it saw when it looked. */
  long seen(String fact) {
    return reports.stream()
        .filter(WorkerMessage.Looked.class::isInstance)
        .map(report -> ((WorkerMessage.Looked) report).facts().get(fact))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }

  OperationCount count(String phase, Operation operation) {
    return result(phase).operations().get(operation);
  }

  /** All of {@code ok} were OK, nothing was missing or wrong. */
  void assertAllOk(String phase, Operation operation, long ok) {
    assertThat(count(phase, operation))
        .isEqualTo(new OperationCount(ok, 0, new java.util.TreeMap<>()));
    assertThat(result(phase).incorrect()).isZero();
  }
}
