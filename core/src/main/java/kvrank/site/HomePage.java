package kvrank.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.fact.Fact;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Markup;
import kvrank.report.ranking.Labels;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.stats.Sample;

/** The first page: for each use and level of durability the engines and their figures. */
final class HomePage {

  private final Page.Contents contents;
  private final SortedMap<Machine, List<ExecutionResults>> machines;
  private final List<Study> studies;
  private final List<Choice> choices;

  HomePage(
      Page.Contents contents,
      SortedMap<Machine, List<ExecutionResults>> machines,
      List<Study> studies,
      List<Choice> choices) {
    this.contents = contents;
    this.machines = machines;
    this.studies = studies;
    this.choices = choices;
  }

  byte[] of() {
    String size =
        "kvrank · %s on %s"
            .formatted(
                Quantities.counted(
                    machines.values().stream().mapToInt(List::size).sum(), "execution"),
                Quantities.counted(machines.size(), "machine"));
    Page page = new Page(contents, "", size, "Which key-value engine for which use?");
    Markup html = page.html();
    html.open("section").element("h2", "What you need").line();
    if (contents.uses().isEmpty()) {
      html.element("p", "No engine has a value in these results.").line();
    }
    bounds().forEach(each -> each.write(html, "p"));
    html.open("div", "class", "cards").line();
    for (UseCase use : contents.uses()) {
      html.open("article", "class", "card").open("h3");
      String need = Labels.capitalized(use.when());
      html.element("a", need, "href", Links.use(use));
      html.element("span", use.title(), "class", "kind").close().line();
      choices.stream()
          .filter(choice -> choice.use() == use)
          .forEach(each -> Card.write(html, each, machines.size() == 1));
      html.close().line();
    }
    html.close().close().line();
    html.open("section").element("h2", "Engines", "id", "engines").line();
    engines(html);
    html.close().line();
    html.open("section").element("h2", "Machines", "id", "machines").line();
    machines.forEach(
        (machine, executions) -> {
          html.open("p").element("a", machine.label(), "href", Links.machine(machine));
          String setup = MachinePage.setup(machine, studies);
          html.text(": %s. %s".formatted(setup, MachinePage.about(executions))).close().line();
        });
    html.close().line();
    return page.end();
  }

  /** Returns the limits of the results, a sentence each. */
  private List<Claim> bounds() {
    List<Claim> bounds = new ArrayList<>();
    if (machines.size() == 1) {
      Machine machine = machines.firstKey();
      bounds.add(
          Claim.of("All results are from one machine, ")
              .link(machine.label(), Links.machine(machine))
              .text(": another may have another order."));
    }
    Scale.of(studies).ifPresent(bounds::add);
    return bounds;
  }

  /** Writes the engines, those in the client's process and servers apart. */
  private void engines(Markup html) {
    Map<String, Set<String>> kinds = new TreeMap<>();
    Set<String> unknown = new TreeSet<>(contents.engines());
    for (Study study : studies) {
      for (RunRecord run : study.index().results().runs()) {
        if (contents.engines().contains(run.engine()) && run.facts().has(Fact.WAY)) {
          String kind = Sample.embedded(run) ? "Embedded in your process" : "Servers";
          kinds.computeIfAbsent(kind, any -> new TreeSet<>()).add(run.engine());
          unknown.remove(run.engine());
        }
      }
    }
    if (!unknown.isEmpty()) {
      kinds.put(kinds.isEmpty() ? "All" : "Others", unknown);
    }
    kinds.forEach(
        (kind, engines) -> {
          html.element("h3", kind).open("ul", "class", "names").line();
          for (String engine : engines) {
            html.open("li").element("a", engine, "href", Links.engine(engine)).close().line();
          }
          html.close().line();
        });
  }
}
