package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import kvrank.results.Manifest;
import kvrank.results.Results;

/** The size of an experiment in words. */
final class Preamble {

  private Preamble() {}

  /** The size of the experiment, or of each that was merged. */
  static List<String> experiment(Results results) {
    if (results.executions().size() > 1) {
      List<String> lines = new ArrayList<>();
      lines.add("Merged from %d executions:".formatted(results.parts().size()));
      results.parts().forEach(part -> lines.add(execution(part)));
      return lines;
    }
    String planned = results.manifest().planned().toString();
    return List.of(
        "Experiment: %s, %s UTC"
            .formatted(
                size(results.manifest()),
                planned.substring(0, Math.min(16, planned.length())).replace('T', ' ')));
  }

  private static String size(Manifest manifest) {
    return "%s, %s, %s of each run, storage %s, seed %d"
        .formatted(
            counted(manifest.engines().size(), "engine"),
            counted(manifest.phases().size(), "phase"),
            counted(manifest.repetitions(), "repetition"),
            manifest.medium(),
            manifest.seed());
  }

  private static String execution(Results part) {
    return "%s: scenario %s, %s, host %s"
        .formatted(
            part.name(),
            part.manifest().scenario(),
            size(part.manifest()),
            part.environment().getOrDefault("host", "unknown"));
  }

  private static String counted(int number, String what) {
    return number == 1 ? "1 " + what : number + " " + what + "s";
  }
}
