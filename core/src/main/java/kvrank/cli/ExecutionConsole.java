package kvrank.cli;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.run.ExecutionListener;
import kvrank.scenario.EngineSpec;
import kvrank.worker.WorkerMessage;

/** Shows an execution on the terminal: what was found before the runs, and how these go. */
final class ExecutionConsole implements ExecutionListener, AutoCloseable {

  private final Terminal terminal;
  private Progress progress;

  ExecutionConsole(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void surveyed(EngineSpec engine, List<MethodStatus> methods) {
    Optional<MethodStatus> method = methods.stream().filter(MethodStatus::available).findFirst();
    String found =
        method
            .map(each -> each.method().label() + ": " + each.detail())
            .orElseGet(() -> missing(engine, methods));
    terminal.err().println(terminal.wrapped("  %-12s ".formatted(engine.label()), found));
  }

  private static String missing(EngineSpec engine, List<MethodStatus> methods) {
    return engine
        .definition()
        .planned()
        .map(reason -> "UNAVAILABLE: " + reason)
        .orElseGet(
            () ->
                "UNAVAILABLE HERE: %s. To get it: %s"
                    .formatted(
                        methods.stream()
                            .map(each -> each.method().label() + ": " + each.detail())
                            .collect(Collectors.joining("; ")),
                        engine.definition().install()));
  }

  @Override
  public void warned(String warning) {
    terminal.err().println(terminal.wrapped("  warning: ", warning));
  }

  @Override
  public void found(String fact) {
    terminal.err().println(terminal.wrapped("  ", fact));
  }

  @Override
  public void began(List<RunSpec> runs, Set<String> missing) {
    terminal.err().println();
    progress = new Progress(runs, missing, terminal);
  }

  @Override
  public void interrupted(ResultsDirectory results) {
    terminal.err().println();
    terminal.error(
        "interrupted; what was measured is kept. To go on: ./kvrank run --resume "
            + Installation.shorten(results.path().toAbsolutePath()));
  }

  @Override
  public void started(RunSpec run, int index, int total) {
    progress.started(run, index, total);
  }

  @Override
  public void phase(RunSpec run, String phase) {
    progress.phase(run, phase);
  }

  @Override
  public void progress(RunSpec run, WorkerMessage.Progress at) {
    progress.progress(run, at);
  }

  @Override
  public void finished(RunSpec run, RunRecord record) {
    progress.finished(run, record);
  }

  @Override
  public void skipped(RunSpec run, int index, int total) {
    progress.skipped(run, index, total);
  }

  @Override
  public void close() {
    if (progress != null) {
      progress.close();
    }
  }
}
