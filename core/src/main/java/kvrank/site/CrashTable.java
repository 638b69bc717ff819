package kvrank.site;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Markup;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.RunRecord;
import kvrank.site.advice.Links;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The crashes of engines, a row each, with what was lost. */
final class CrashTable {

  /** What an engine that did not open its data, or answer, lost. */
  private static final String UNREADABLE = "not readable";

  private final RankingIndex index;
  private final RunTable table;

  CrashTable(RankingIndex index, RunTable table) {
    this.index = index;
    this.table = table;
  }

  /** Writes a section for each factor point with a crash test. */
  void write(Markup html) {
    for (List<Group> point : index.phaseGroupsByPoint()) {
      Group group = point.get(0);
      if (index.engines().stream().anyMatch(engine -> !tested(group, engine).isEmpty())) {
        html.open("section").element("h2", "Crashes and power cuts" + group.pointSuffix()).line();
        write(group);
        html.close().line();
      }
    }
  }

  private List<RunRecord> tested(Group group, String engine) {
    return index.runs(group, engine).stream().filter(run -> run.crashTest().isPresent()).toList();
  }

  private void write(Group group) {
    table.begin("proves");
    table.column("event", true);
    List.of("acknowledged", "lost", "wrong").forEach(each -> table.column(each, false));
    table.headed();
    for (String engine : index.engines()) {
      table.body(Links.crashes(index, group, engine), tested(group, engine), this::rows);
    }
    table.end();
  }

  private void rows(RunRecord run) {
    CrashTrialResult test = run.crashTest().orElseThrow();
    for (int i = 0; i < test.crashes().size(); i++) {
      Crash crash = test.crashes().get(i);
      table.row(List.of(run), crash.provesNothing().isEmpty());
      table.cell((test.powerCut() ? "power cut " : "crash ") + (i + 1), true);
      table.cell(number(Optional.of(crash.acknowledged())), false);
      String lost =
          crash.lostWrites().map(found -> number(Optional.of(found.lost()))).orElse(UNREADABLE);
      table.cell(lost, false);
      table.cell(number(crash.lostWrites().map(LostWrites::wrong)), false);
      table.endRow(note(crash), 1);
    }
    if (!test.missing().isEmpty()) {
      table.row(List.of(run), false);
      table.endRow(test.missing(), 5);
    }
  }

  private static String note(Crash crash) {
    return Stream.of(
            crash.provesNothing().map("it proves nothing: "::concat).orElse(""),
            crash.reason(),
            crash.repeated().isEmpty()
                ? ""
                : "after void attempts: " + String.join("; ", crash.repeated()))
        .filter(text -> !text.isEmpty())
        .collect(joining(", "));
  }

  private static String number(Optional<Long> number) {
    return number.map(each -> Quantities.of(Unit.COUNT, each)).orElse(Quantities.NONE);
  }
}
