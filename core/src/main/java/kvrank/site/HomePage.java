package kvrank.site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Markup;
import kvrank.report.ranking.Labels;
import kvrank.results.ExecutionResults;
import kvrank.site.advice.Claim;
import kvrank.site.advice.Kind;
import kvrank.site.advice.Links;
import kvrank.site.advice.Machine;
import kvrank.site.advice.Need;
import kvrank.site.advice.Scale;
import kvrank.site.advice.Study;
import kvrank.site.advice.UseCase;

/** The first page: for each use and level of durability the engines and their figures. */
final class HomePage {

  private final Page.Contents contents;
  private final SortedMap<Machine, List<ExecutionResults>> machines;
  private final List<Study> studies;
  private final List<Need> needs;
  private final Map<String, About> abouts;
  private final List<StudyRequirements> requirements;

  HomePage(
      Page.Contents contents,
      SortedMap<Machine, List<ExecutionResults>> machines,
      List<Study> studies,
      List<Need> needs,
      Map<String, About> abouts,
      List<StudyRequirements> requirements) {
    this.contents = contents;
    this.machines = machines;
    this.studies = studies;
    this.needs = needs;
    this.abouts = abouts;
    this.requirements = requirements;
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
      String title = Labels.capitalized(use.when());
      html.element("a", title, "href", Links.use(use));
      html.element("span", use.title(), "class", "kind").close().line();
      needs.stream()
          .filter(need -> need.use() == use)
          .forEach(each -> Card.write(html, each, machines.size() == 1));
      html.close().line();
    }
    html.close().close().line();
    Site.section(
        html,
        "Requirements of scenarios",
        requirements.stream().map(each -> each.summary().atTop()).toList());
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

  /** Writes the engines, those of each kind together. */
  private void engines(Markup html) {
    Map<Kind, Set<String>> kinds = new EnumMap<>(Kind.class);
    for (String engine : contents.engines()) {
      Kind kind =
          studies.stream()
              .map(study -> study.kind(engine))
              .min(Comparator.naturalOrder())
              .orElse(Kind.UNKNOWN);
      kinds.computeIfAbsent(kind, any -> new TreeSet<>()).add(engine);
    }
    kinds.forEach(
        (kind, engines) -> {
          if (kind != Kind.UNKNOWN) {
            html.element("h3", kind.title());
          }
          html.open("ul", "class", "names").line();
          for (String engine : engines) {
            About about = abouts.get(engine);
            html.open("li").element("a", engine, "href", Links.engine(engine));
            if (!about.language().isEmpty()) {
              html.text(" ").element("small", about.language(), "class", "kind");
            }
            if (!about.brief().isEmpty()) {
              html.text(" ").element("span", about.brief());
            }
            html.close().line();
          }
          html.close().line();
        });
  }
}
