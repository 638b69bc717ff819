package kvrank.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Fact;
import kvrank.metric.Unit;
import kvrank.plan.Plan;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.report.block.Quantities;
import kvrank.report.block.Width;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.ShellWord;
import kvrank.run.measure.ExecutionListener;
import kvrank.scenario.EngineSpec;
import kvrank.stats.QualityFlag;
import kvrank.worker.protocol.WorkerMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows an execution: findings before the runs, a line per run, and a bar if interactive. */
final class ExecutionConsole implements ExecutionListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutionConsole.class);
  private static final int BAR_WIDTH = 20;

  /** Goes to the start of a terminal's line and erases it. */
  private static final String ERASE = "\r\033[K";

  private final Plan plan;
  private final Terminal terminal;
  private final Runnable firstRun;
  private final Set<String> reported = new HashSet<>();

  /** Labels of engines by where they run, until the survey is over. */
  private final Map<String, List<String>> embedded = new LinkedHashMap<>();

  private Set<String> missing = Set.of();
  private double expectedTotalSeconds;
  private double expectedDoneSeconds;
  private double actualDoneSeconds;
  private double share;
  private volatile boolean ended;
  private long runStartNanos;
  private String position = "";
  private String phase = "";

  /** {@code firstRun} is called before the first run. */
  ExecutionConsole(Plan plan, Terminal terminal, Runnable firstRun) {
    this.plan = plan;
    this.terminal = terminal;
    this.firstRun = firstRun;
  }

  @Override
  public void surveyed(EngineSpec engine, List<MethodStatus> methods) {
    if (engine.definition().planned().isPresent()) {
      // Listed as left out.
      return;
    }
    Optional<MethodStatus> first = methods.stream().filter(MethodStatus::available).findFirst();
    if (first.filter(status -> status.method() == ProvisionMethod.EMBEDDED).isPresent()) {
      embedded.computeIfAbsent(first.get().detail(), any -> new ArrayList<>()).add(engine.label());
      return;
    }
    String text =
        first
            .map(MethodStatus::toString)
            .orElseGet(() -> "UNAVAILABLE HERE: " + MethodStatus.missing(methods, engine));
    terminal.err().println(terminal.wrapped("  %-14s ".formatted(engine.label()), text));
  }

  /** Most engines have nothing else to say, and there may be dozens. */
  private void printEmbedded() {
    embedded.forEach(
        (detail, engines) ->
            line(
                terminal.wrapped(
                    "  embedded, %s: ".formatted(detail), String.join(", ", engines))));
    embedded.clear();
  }

  @Override
  public void warned(String warning) {
    printEmbedded();
    terminal.err().println(terminal.wrapped("  warning: ", warning));
  }

  @Override
  public void found(String fact) {
    printEmbedded();
    line(terminal.wrapped("  ", fact));
  }

  @Override
  public void began(List<RunSpec> runs, Set<String> missing) {
    printEmbedded();
    firstRun.run();
    this.missing = Set.copyOf(missing);
    expectedTotalSeconds = runs.stream().mapToDouble(this::expectedSeconds).sum();
    Duration guaranteed = Duration.ofMillis(Math.round(1e3 * expectedTotalSeconds));
    PlanCommand.warn(plan, plan.tuning().plus(guaranteed), terminal);
    terminal.err().println();
  }

  @Override
  public void looked(String known, List<RunSpec> next) {
    expectedTotalSeconds += next.stream().mapToDouble(this::expectedSeconds).sum();
    line(terminal.wrapped("  ", known));
  }

  @Override
  public void started(RunSpec run, int index, int total) {
    position = index + "/" + total;
    runStartNanos = System.nanoTime();
    phase(run, "starting");
  }

  @Override
  public void phase(RunSpec run, String phase) {
    LOG.debug("run {} {}: {}", position, run.id(), phase);
    this.phase = phase;
    update(run, phase);
  }

  @Override
  public void progress(RunSpec run, WorkerMessage.Progress progress) {
    update(run, phase + " " + Quantities.of(Unit.PER_SECOND, progress.perSecond()));
  }

  @Override
  public void finished(RunSpec run, RunRecord record) {
    double seconds = record.time().toMillis() / 1e3;
    expectedDoneSeconds += expectedSeconds(run);
    actualDoneSeconds += seconds;
    if (!measured(run)
        || (record.outcome() instanceof Outcome.Unavailable unavailable
            && !unavailable.reason().isEmpty()
            && !reported.add(run.engine().label() + ": " + unavailable.reason()))) {
      return;
    }
    line(
        "[%s] %s %s; %s left"
            .formatted(position, run.id(), summary(run, record, seconds), minutes(remaining(0))));
    if (record.outcome() instanceof Outcome.Broken && record.worthAnotherTry()) {
      line("  the engine did not cause this; 'run --resume' repeats the run");
    }
    record
        .facts()
        .find(Fact.WORKER_CLOSING)
        .ifPresent(problem -> line("  closing the engine failed: " + problem));
    record
        .facts()
        .find(Fact.DATA_KEPT)
        .ifPresent(path -> line("  its data is kept in " + Installation.shorten(Path.of(path))));
  }

  @Override
  public void skipped(RunSpec run, int index, int total) {
    expectedDoneSeconds += expectedSeconds(run);
    if (measured(run)) {
      line("[%d/%d] %s is already done".formatted(index, total, run.id()));
    }
  }

  @Override
  public void interrupted(ResultsDirectory results) {
    ended = true;
    line("");
    terminal.error(
        "interrupted; finished runs are kept. To continue: ./kvrank run --resume "
            + ShellWord.of(Installation.shorten(results.path().toAbsolutePath())));
  }

  @Override
  public void close() {
    if (terminal.interactive() && !ended) {
      terminal.err().print(ERASE);
    }
  }

  /** Returns {@code 45 s}, {@code 3 min 10 s} or {@code 2 h 5 min}. */
  static String minutes(Duration duration) {
    long seconds = Math.max(0, Math.round(duration.toMillis() / 1e3));
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? seconds / 60 + " min " + seconds % 60 + " s"
        : seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
  }

  private static String summary(RunSpec run, RunRecord record, double seconds) {
    String label = record.outcome().label();
    if (!(record.outcome() instanceof Outcome.Completed)) {
      return label + ": " + record.outcome().reason().replaceFirst("\\.$", "");
    }
    String phases =
        record.phases().stream()
            .filter(phase -> !(phase.outcome() instanceof Outcome.Unsupported))
            .map(phase -> phase.name() + " " + result(phase))
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
            unproven.isEmpty()
                ? ""
                : run.fsync().promises()
                    ? "; DURABILITY NOT PROVEN in " + unproven
                    : "; more flushes than fsync=%s needs in %s"
                        .formatted(run.fsync().label(), unproven),
            record.crashTest().map(ExecutionConsole::crashes).orElse(""));
  }

  /** Returns the throughput, or the reason why there is none. */
  private static String result(PhaseRecord phase) {
    return phase.outcome() instanceof Outcome.Completed
        ? Quantities.of(Unit.PER_SECOND, phase.throughput())
        : phase.outcome().label() + " (" + phase.outcome().reason() + ")";
  }

  private static String crashes(CrashTrialResult test) {
    if (!test.missing().isEmpty()) {
      return (test.powerCut() ? ", no power cut: " : ", no crash test: ") + test.missing();
    }
    List<LostWrites> checked =
        test.crashes().stream().flatMap(crash -> crash.lostWrites().stream()).toList();
    int crashes = test.crashes().size();
    String all = CrashTrialResult.label(crashes, test.powerCut());
    if (checked.isEmpty()) {
      return ", not readable after any of " + all;
    }
    long inconclusive =
        test.crashes().stream().filter(crash -> crash.provesNothing().isPresent()).count();
    long unknown = test.crashes().stream().mapToLong(crash -> crash.hidden().size()).sum();
    long wrong = checked.stream().mapToLong(LostWrites::wrong).sum();
    return ", %d acknowledged writes lost%s in %s%s"
        .formatted(
            checked.stream().mapToLong(LostWrites::lost).sum(),
            wrong > 0 ? " and %d records wrong".formatted(wrong) : "",
            all,
            (checked.size() == crashes
                    ? ""
                    : ", not readable after %d of them".formatted(crashes - checked.size()))
                + (inconclusive == 0 ? "" : ", of which %d proved nothing".formatted(inconclusive))
                + (unknown == 0 ? "" : ", %d further unknown".formatted(unknown)));
  }

  private double elapsedSeconds() {
    return (System.nanoTime() - runStartNanos) / 1e9;
  }

  private boolean measured(RunSpec run) {
    return run.startable() && !missing.contains(run.engine().label());
  }

  private double expectedSeconds(RunSpec run) {
    return measured(run) ? Plan.expected(run).toMillis() / 1e3 : 0;
  }

  /** Returns the expected time left, scaled by how long runs took against what was expected. */
  private Duration remaining(double currentSeconds) {
    double scale = expectedDoneSeconds > 0 ? actualDoneSeconds / expectedDoneSeconds : 1;
    double left = (expectedTotalSeconds - expectedDoneSeconds) * scale - currentSeconds;
    return Duration.ofMillis(Math.round(Math.max(0, left) * 1000));
  }

  /** Draws {@code [####......] 43 % 5 min left, run 3/12 …}, cut to the terminal's width. */
  private void update(RunSpec run, String step) {
    if (!terminal.interactive() || ended || !measured(run)) {
      return;
    }
    double elapsed = Math.min(elapsedSeconds(), 0.99 * expectedSeconds(run));
    // It never falls back if runs were added, or a disturbed run starts again.
    double done = (expectedDoneSeconds + elapsed) / Math.max(1e-9, expectedTotalSeconds);
    share = Math.max(share, Math.min(1, done));
    int filled = (int) Math.round(BAR_WIDTH * share);
    String text =
        "[%s%s] %3.0f %% %s left, run %s %s: %s"
            .formatted(
                "#".repeat(filled),
                ".".repeat(BAR_WIDTH - filled),
                100 * share,
                minutes(remaining(elapsedSeconds())),
                position,
                run.id(),
                step);
    terminal.err().print(ERASE + terminal.cut(text));
    terminal.err().flush();
  }

  private void line(String text) {
    terminal.err().println((terminal.interactive() ? ERASE : "") + Width.printable(text));
  }
}
