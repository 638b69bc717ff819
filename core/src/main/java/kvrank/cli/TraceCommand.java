package kvrank.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import kvrank.input.Suggestion;
import kvrank.trace.TraceDescription;
import kvrank.trace.TraceFormat;
import kvrank.trace.TraceImport;
import kvrank.workload.request.Labelled;
import picocli.CommandLine.Model.ArgSpec;

/** Holds what is done with traces. */
final class TraceCommand extends Command {

  TraceCommand(Command parent) {
    super(
        parent, "Import what was recorded elsewhere as a trace, show it, or fit a workload to it.");
    spec.usageMessage().synopsisSubcommandLabel("COMMAND");
    spec.addSubcommand("import", new Import(this).spec);
    spec.addSubcommand("show", new Show(this).spec);
    spec.addSubcommand("fit", new Fit(this).spec);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(terminal.out());
    return ExitStatus.COMPLETED;
  }

  /** What writes a file. */
  private abstract static class Writing extends Command {

    private final ArgSpec out;

    Writing(Command parent, String file, String description) {
      super(parent, description);
      out = takes(option("-o", "OUT", Path.class, file).required(true));
    }

    final Path out() {
      if (!Files.isDirectory(out.<Path>getValue().toAbsolutePath().getParent())) {
        throw wrong("-o '" + out.getValue() + "': its folder does not exist; make it first");
      }
      return newFile(out);
    }
  }

  private static final class Import extends Writing {

    private static final String STANDARD_INPUT = "-";

    private final ArgSpec words =
        takes(
            words(
                "[FORMAT] FILE",
                "1..2",
                "What was recorded, compressed by gzip or not, '-' for standard input; of the"
                    + " format "
                    + String.join(", ", TraceFormat.names())
                    + ", or of the one that it begins as."));

    Import(Command parent) {
      super(
          parent,
          "The trace to write.",
          "Import what was recorded elsewhere as a trace. No key and no value is in it.");
    }

    @Override
    public Integer call() throws IOException {
      List<String> given = words.getValue();
      if (given.size() > 2) {
        throw wrong("'" + given.get(2) + "' is one word too many; there are [FORMAT] FILE");
      }
      String name = given.get(given.size() - 1);
      Optional<TraceFormat> format =
          given.size() == 2 ? Optional.of(format(given.get(0))) : Optional.empty();
      Path file = out();
      boolean standard = name.equals(STANDARD_INPUT);
      if (!standard && Files.isDirectory(Path.of(name))) {
        throw wrong("'" + name + "' is a folder; name a file");
      }
      try (InputStream in = standard ? System.in : Files.newInputStream(Path.of(name))) {
        terminal
            .out()
            .printf("%s: %s%n", file.getFileName(), TraceImport.of(name, in, format, file));
      }
      return ExitStatus.COMPLETED;
    }

    private TraceFormat format(String label) {
      List<String> names = TraceFormat.names();
      String unknown = "no format '%s'; there are %s%s";
      return Labelled.of(TraceFormat.class, label)
          .orElseThrow(
              () ->
                  wrong(
                      unknown.formatted(
                          label, String.join(", ", names), Suggestion.of(label, names))));
    }
  }

  private static final class Show extends Command {

    private final ArgSpec file = takes(word("FILE", Path.class, "The trace.").required(true));

    Show(Command parent) {
      super(parent, "Show what a trace is like, and what caches it hits.");
    }

    @Override
    public Integer call() throws IOException {
      TraceDescription.of(file.getValue()).lines().forEach(terminal.out()::println);
      return ExitStatus.COMPLETED;
    }
  }

  private static final class Fit extends Writing {

    private final ArgSpec file = takes(word("FILE", Path.class, "The trace.").required(true));

    Fit(Command parent) {
      super(
          parent,
          "The workload to write.",
          "Write the workload that is most like a trace; it says how far it is from it.");
    }

    @Override
    public Integer call() throws IOException {
      Path workload = out();
      String name = workload.getFileName().toString().replaceFirst("\\.ya?ml$", "");
      String text = TraceDescription.of(file.getValue()).workload(name);
      Files.writeString(workload, text, StandardOpenOption.CREATE_NEW);
      text.lines()
          .takeWhile(line -> line.startsWith("#"))
          .forEach(line -> terminal.out().println(line.substring(1).strip()));
      return ExitStatus.COMPLETED;
    }
  }
}
