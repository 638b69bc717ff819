package kvrank.cli;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.metric.Unit;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.report.Quantities;
import kvrank.results.CrashTest;
import kvrank.results.LostWrites;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.run.RunListener;
import kvrank.stats.QualityFlag;
import kvrank.worker.WorkerMessage;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/** Shows how a scenario goes: a bar on a person's terminal, and a line per run everywhere. */
final class Progress implements RunListener, AutoCloseable {

  private static final int STEPS = 1000;
  private static final int BAR_WIDTH = 20;

  private final Terminal terminal;
  private final ProgressBar bar;
  private final Set<String> missing;
  private final double expectedTotalSeconds;
  private double expectedDoneSeconds;
  private double actualDoneSeconds;
  private long runStartNanos;
  private int index;
  private int total;
  private String phase = "";

  /**
   * @param runs the whole plan
   * @param missing the labels of engines that are not available here: their runs take no time
   */
  Progress(List<RunSpec> runs, Set<String> missing, Terminal terminal) {
    this.terminal = terminal;
    this.missing = Set.copyOf(missing);
    this.expectedTotalSeconds = runs.stream().mapToDouble(this::expectedSeconds).sum();
    this.bar = terminal.interactive() ? bar(terminal) : null;
  }

  private static ProgressBar bar(Terminal terminal) {
    return new ProgressBarBuilder()
        .setInitialMax(STEPS)
        .setRenderer(Progress::render)
        .setUpdateIntervalMillis(500)
        .setMaxRenderedLength(terminal.width() - 1)
        .clearDisplayOnFinish()
        .setConsumer(new ConsoleProgressBarConsumer(terminal.err()))
        .build();
  }

  /** {@code [####......] 43% run 3/12 …}, cut to the terminal's width. */
  private static String render(ProgressState state, int width) {
    int filled = (int) Math.round(BAR_WIDTH * state.getNormalizedProgress());
    String line =
        "[%s%s] %3d%% %s"
            .formatted(
                "#".repeat(filled),
                ".".repeat(BAR_WIDTH - filled),
                Math.round(100 * state.getNormalizedProgress()),
                state.getExtraMessage());
    return line.length() <= width ? line : line.substring(0, Math.max(0, width));
  }

  @Override
  public void started(RunSpec run, int index, int total) {
    this.index = index;
    this.total = total;
    this.runStartNanos = System.nanoTime();
    this.phase = "starting";
    update(run, "", 0);
  }

  @Override
  public void phase(RunSpec run, String phase) {
    this.phase = phase;
    update(run, "", 0);
  }

  @Override
  public void progress(RunSpec run, WorkerMessage.Progress progress) {
    double elapsed = (System.nanoTime() - runStartNanos) / 1e9;
    double share = Math.min(0.99, elapsed / Math.max(elapsed, expectedSeconds(run)));
    update(run, Quantities.of(Unit.PER_SECOND, progress.perSecond()), share);
  }

  @Override
  public void finished(RunSpec run, RunRecord record) {
    double seconds = Duration.between(record.started(), record.ended()).toMillis() / 1e3;
    expectedDoneSeconds += expectedSeconds(run);
    actualDoneSeconds += seconds;
    line(
        "[%d/%d] %s %s; %s left"
            .formatted(index, total, run.id(), summary(record, seconds), minutes(remaining(0))));
  }

  @Override
  public void skipped(RunSpec run, int index, int total) {
    expectedDoneSeconds += expectedSeconds(run);
    line("[%d/%d] %s was done before".formatted(index, total, run.id()));
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }

  /** Returns a duration for a person: {@code 45 s}, {@code 3 min 10 s}. */
  static String minutes(Duration duration) {
    long seconds = Math.max(0, Math.round(duration.toMillis() / 1e3));
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? "%d min %d s".formatted(seconds / 60, seconds % 60)
        : "%d h %d min".formatted(seconds / 3600, seconds % 3600 / 60);
  }

  private static String summary(RunRecord record, double seconds) {
    if (record.outcome() instanceof Outcome.Unavailable) {
      return record.outcome().label();
    }
    if (!(record.outcome() instanceof Outcome.Completed)) {
      return record.outcome().label() + ": " + record.outcome().reason().replaceFirst("\\.$", "");
    }
    String phases =
        record.phases().stream()
            .filter(phase -> phase.outcome() instanceof Outcome.Completed)
            .map(phase -> phase.name() + " " + Quantities.of(Unit.PER_SECOND, phase.throughput()))
            .collect(Collectors.joining(", "));
    String unproven =
        record.phases().stream()
            .filter(QualityFlag.Kind.NOT_PROVEN::holds)
            .map(PhaseRecord::name)
            .collect(Collectors.joining(", "));
    return "completed in %.0f s: %s%s%s"
        .formatted(
            seconds,
            phases,
            unproven.isEmpty() ? "" : "; DURABILITY NOT PROVEN in " + unproven,
            record.crashTest().map(Progress::killed).orElse(""));
  }

  private static String killed(CrashTest test) {
    if (!test.reason().isEmpty()) {
      return ", no crash test: " + test.reason();
    }
    long lost =
        test.crashes().stream()
            .flatMap(crash -> crash.lostWrites().stream())
            .mapToLong(LostWrites::lost)
            .sum();
    long unseen = test.crashes().stream().filter(crash -> crash.lostWrites().isEmpty()).count();
    return ", %d acknowledged writes lost in %d crash%s%s"
        .formatted(
            lost,
            test.crashes().size(),
            test.crashes().size() == 1 ? "" : "es",
            unseen == 0 ? "" : ", of which " + unseen + " not seen");
  }

  private double expectedSeconds(RunSpec run) {
    return missing.contains(run.engine().label()) ? 0 : Plan.expected(run).toMillis() / 1e3;
  }

  /** Expected time left, scaled by how the expectation did so far. */
  private Duration remaining(double currentSeconds) {
    double scale = expectedDoneSeconds > 0 ? actualDoneSeconds / expectedDoneSeconds : 1;
    double left = (expectedTotalSeconds - expectedDoneSeconds) * scale - currentSeconds;
    return Duration.ofMillis(Math.round(Math.max(0, left) * 1000));
  }

  private void update(RunSpec run, String rate, double shareOfRun) {
    if (bar == null) {
      return;
    }
    double done = expectedDoneSeconds + shareOfRun * expectedSeconds(run);
    bar.stepTo(Math.round(STEPS * done / Math.max(1e-9, expectedTotalSeconds)));
    double current = (System.nanoTime() - runStartNanos) / 1e9;
    bar.setExtraMessage(
        "run %d/%d %s: %s, %s left"
            .formatted(
                index,
                total,
                run.id(),
                rate.isEmpty() ? phase : phase + " " + rate,
                minutes(remaining(current))));
  }

  private void line(String text) {
    String clear = terminal.interactive() ? "\r\033[K" : "";
    terminal.err().println(clear + text);
  }
}
