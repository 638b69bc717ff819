package kvrank.run;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import kvrank.failure.Cause;
import kvrank.input.Reason;
import kvrank.machine.SyncProbe;
import kvrank.plan.RunSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.run.measure.ExecutionListener;
import kvrank.run.measure.RunExecutor.Task;

/** Executes runs one after the other, skips those with a record, and repeats disturbed ones. */
record RunSeries(
    ResultsDirectory results,
    Optional<SyncProbe> probe,
    Instruments instruments,
    QuietMachine quiet,
    ExecutionListener listener,
    BooleanSupplier stopped,
    Set<RunDirectory> finished) {

  boolean aborted() {
    return stopped.getAsBoolean();
  }

  /**
   * Executes {@code runs} after {@code done} that were measured. Runs of missing engines and those
   * that an engine cannot do have no number.
   *
   * @return the number that are measured then
   */
  int executeAll(List<RunSpec> runs, int done)
      throws UnreadableException, IOException, InterruptedException {
    int total = done + (int) runs.stream().filter(quiet::measures).count();
    int number = done;
    for (int i = 0; i < runs.size() && !aborted(); i++) {
      number += quiet.measures(runs.get(i)) ? 1 : 0;
      executeNext(runs.subList(i, runs.size()), number, total);
    }
    return total;
  }

  /** Executes the first of {@code open} runs, which share the budget, unless it has a record. */
  void executeNext(List<RunSpec> open, int number, int total)
      throws UnreadableException, IOException, InterruptedException {
    RunSpec run = open.get(0);
    RunDirectory directory = results.run(run.id());
    if (directory.done()) {
      quiet.countFinished(directory.read());
      finished.add(directory);
      listener.skipped(run, number, total);
      return;
    }
    directory.setCrashesAside();
    quiet.beginRun(directory);
    RunRecord record;
    do {
      quiet.awaitQuiet(open);
      if (aborted()) {
        return;
      }
      results.requireThere();
      listener.started(run, number, total);
      record = attempt(run, directory);
    } while (!aborted() && quiet.setAsideIfDisturbed(record, directory, open));
    if (!aborted()) {
      finish(run, directory, quiet.endRun(record));
    }
  }

  private RunRecord attempt(RunSpec run, RunDirectory directory)
      throws UnreadableException, IOException, InterruptedException {
    Optional<CrashTrialResult> crashes = directory.earlierCrashes();
    RunRecord record =
        instruments.executor().execute(new Task(run, directory, probe, listener)).after(crashes);
    if (aborted()) {
      return record;
    }
    results.requireThere();
    return instruments.baselines().addTo(record, run, results);
  }

  private void finish(RunSpec run, RunDirectory directory, RunRecord measured) throws IOException {
    RunRecord record = measured;
    try {
      directory.write(record);
      finished.add(directory);
    } catch (IOException e) {
      String why = "its record cannot be written, so --resume repeats it: ";
      record = record.with(new Outcome.Failed("", Cause.of(e), why + Reason.located(e)));
    }
    listener.finished(run, record);
    ResultsDirectory.requireRecords(finished);
  }
}
