package kvrank.cli;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import kvrank.report.block.Quantities;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.ShellWord;
import kvrank.site.Site;
import picocli.CommandLine.Model.ArgSpec;

/** Writes a static site about results of any scenarios and machines. */
final class SiteCommand extends Command {

  private final ArgSpec directories =
      add(
          parameters("RESULTS", "1..*", Sources.DESCRIPTION)
              .completionCandidates(installation.scenarios()));
  private final ArgSpec out = add(out("DIR", "The folder for the site's files.").required(true));

  SiteCommand(Command parent) {
    super(
        parent,
        "Write a static site: which engine to reach for, for which use, and how sure that is;"
            + " starts no server.");
  }

  @Override
  public Integer call() throws IOException {
    Path folder = out.getValue();
    if (hasOtherFiles(folder)) {
      terminal.error(
          "--out: '%s' has files, but no site; give a new or an empty folder".formatted(folder));
      return ExitStatus.INVALID_INPUT;
    }
    try (Sources sources = new Sources(installation, terminal)) {
      List<String> given = directories.getValue();
      List<ExecutionResults> executions = sources.measured(sources.readable(given));
      if (executions.isEmpty()) {
        return ExitStatus.INVALID_INPUT;
      }
      executions.forEach(each -> each.unreadable().forEach(terminal::error));
      SortedMap<String, byte[]> files = Site.of(executions, installation::shippedEngine);
      ResultsDirectory.writeReport(folder, files);
      terminal
          .out()
          .println(
              "%s: %s about %s"
                  .formatted(
                      Installation.shorten(folder.toAbsolutePath().resolve("index.html")),
                      Quantities.counted(files.size(), "page"),
                      Quantities.counted(executions.size(), "execution")));
      List<String> packs = given.stream().filter(Sources::isPack).toList();
      if (!packs.isEmpty()) {
        terminal.error(
            "archives are not checked here; './kvrank validate %s' checks them"
                .formatted(packs.stream().map(ShellWord::of).collect(joining(" "))));
      }
      return ExitStatus.COMPLETED;
    }
  }

  /** Returns whether the pages would be written between files that are not of a site. */
  private static boolean hasOtherFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder) || Files.exists(folder.resolve("index.html"))) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isPresent();
    }
  }
}
