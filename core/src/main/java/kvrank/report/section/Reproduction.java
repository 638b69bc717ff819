package kvrank.report.section;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.ranking.Labels;
import kvrank.results.ExecutionResults;

/**
 * How to run the scenario of executions again.
 *
 * @param by the kvrank that made them, as it follows "with"
 * @param commands for a shell, a line each
 */
public record Reproduction(String by, String commands) {

  private static final String DIRTY = "-dirty";

  /** Returns the section about running it again with {@code scenario}, if it is known. */
  public static List<Block> blocks(ExecutionResults results, String scenario) {
    Blocks blocks = new Blocks().heading(2, "Reproduce");
    if (scenario.isEmpty()) {
      return blocks.text("The resolved scenario is missing.").list();
    }
    for (Reproduction each : of(results)) {
      blocks
          .text("Save this as scenario.yaml, and run it with %s:".formatted(each.by()))
          .add(new Block.Listing(each.commands()));
    }
    return blocks.folded("scenario.yaml", List.of(new Block.Listing(scenario))).list();
  }

  /** Returns one for each version and commit of kvrank. */
  public static List<Reproduction> of(ExecutionResults results) {
    Map<String, List<ExecutionResults>> versions =
        results.executions().stream()
            .collect(groupingBy(ExecutionResults::version, LinkedHashMap::new, toList()));
    return versions.entrySet().stream()
        .map(each -> of(each.getKey(), each.getValue(), versions.size() > 1))
        .toList();
  }

  private static Reproduction of(
      String version, List<ExecutionResults> executions, boolean several) {
    String changes = version.endsWith(DIRTY) ? ", with changes that are in no commit" : "";
    String made =
        several
            ? ", which made "
                + Labels.joined(executions.stream().map(ExecutionResults::name).toList())
            : "";
    String commit =
        executions
            .get(0)
            .commit()
            .map(hash -> "git checkout " + hash.replace(DIRTY, "") + "\nmvn -DskipTests package\n")
            .orElse("");
    return new Reproduction(
        "kvrank " + version + changes + made, commit + "./kvrank run scenario.yaml\n");
  }
}
