package kvrank.site;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Markup;
import kvrank.report.section.MeasurementSetup;
import kvrank.results.ExecutionResults;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Links;
import kvrank.site.advice.Machine;
import kvrank.site.advice.Study;
import kvrank.stats.Disturbance;

/** A machine: its executions, what they measured, and what disturbed them. */
final class MachinePage {

  private final Markup html;
  private final List<ExecutionResults> executions;
  private final List<Study> studies;

  private MachinePage(Markup html, List<ExecutionResults> executions, List<Study> studies) {
    this.html = html;
    this.executions = executions;
    this.studies = studies;
  }

  /** Returns the page, with sentences that compare other machines. */
  static byte[] of(
      Page.Contents contents,
      Machine machine,
      List<ExecutionResults> executions,
      Collection<Study> studies,
      List<Claim> compared) {
    Page page = new Page(contents, "../", "Machine " + machine.name(), machine.label());
    List<Study> own = studies.stream().filter(study -> study.machine().equals(machine)).toList();
    new MachinePage(page.html(), executions, own).write(compared);
    return page.end();
  }

  private void write(List<Claim> compared) {
    html.element("p", about(executions)).line();
    html.open("section").element("h2", "Executions").line();
    List<String> versions =
        executions.stream().map(ExecutionResults::version).distinct().sorted().toList();
    if (versions.size() > 1) {
      Claim.of(
              "%d versions or commits of kvrank made these executions: %s."
                  .formatted(versions.size(), String.join(", ", versions)))
          .write(html, "p");
    }
    Claim.write(html, studies.stream().flatMap(study -> study.notes().stream()).toList());
    table();
    html.close().line();
    for (Study study : studies) {
      html.open("section").element("h2", study.scenario()).line();
      html.element("p", study.index().results().manifest().question()).line();
      html.open("ul", "class", "facts").line();
      new MeasurementSetup(study.index()).lines().forEach(each -> html.element("li", each).line());
      html.close().open("p");
      html.element("a", "All runs, and how to reproduce them", "href", "../" + Links.runs(study));
      html.close().close().line();
    }
    Site.section(html, "Compared with other machines", compared);
  }

  private void table() {
    html.open("div", "class", "scroll").open("table", "class", "sortable");
    html.open("thead").open("tr");
    List.of("execution", "counts", "kvrank")
        .forEach(each -> html.element("th", each, "class", "w"));
    html.element("th", "runs").element("th", "disturbed");
    html.element("th", "before the runs", "class", "w").close().close().line();
    html.open("tbody").line();
    for (ExecutionResults each : executions) {
      Disturbance disturbance = Disturbance.of(each);
      boolean leftOut = studies.stream().anyMatch(study -> study.leftOut().contains(disturbance));
      html.open("tr", "class", leftOut ? "omitted" : null);
      html.element("th", each.name(), "scope", "row");
      html.element("td", leftOut ? "no, others disturbed it" : "yes", "class", "w");
      html.element("td", each.version(), "class", "w");
      html.element("td", Integer.toString(each.runs().size()));
      html.element("td", Integer.toString(disturbance.disturbed()));
      String warnings = String.join("; ", each.environment().parts(Fact.MACHINE_WARNING).values());
      html.element("td", warnings, "class", Page.words(warnings)).close().line();
    }
    html.close().close().close().line();
  }

  /** Returns for example {@code 2 executions of cache, quick.} */
  static String about(List<ExecutionResults> executions) {
    return "%s of %s."
        .formatted(
            Quantities.counted(executions.size(), "execution"),
            executions.stream()
                .map(each -> each.manifest().scenario())
                .distinct()
                .sorted()
                .collect(joining(", ")));
  }

  /** Returns for example {@code AMD EPYC, 2 cores (virtual), 23.5 GiB memory}. */
  static String setup(Machine machine, Collection<Study> studies) {
    Optional<Study> any = studies.stream().filter(s -> s.machine().equals(machine)).findFirst();
    return new MeasurementSetup(any.orElseThrow().index())
        .lines()
        .get(0)
        .replaceFirst("^Machine: ", "");
  }
}
