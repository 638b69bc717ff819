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
import kvrank.trace.TraceFit;
import kvrank.trace.TraceFormat;
import kvrank.trace.TraceImport;
import kvrank.workload.request.Labelled;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The commands on traces. */
final class TraceCommand extends Command {

  TraceCommand(Command parent) {
    super(parent, "Import a recording as a trace, show a trace, or fit a workload to it.");
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

  private static OptionSpec.Builder output(String description) {
    return out("OUT", description).required(true);
  }

  private static PositionalParamSpec.Builder trace() {
    return parameter("FILE", Path.class, "The trace.").required(true);
  }

  private static final class Import extends Command {

    private static final String STANDARD_INPUT = "-";

    private final ArgSpec source =
        add(
            parameters(
                "[FORMAT] FILE",
                "1..2",
                "The recording, plain or compressed by gzip; '-' for standard input. FORMAT is one"
                    + " of %s (default: detected from the start of the file)."
                        .formatted(String.join(", ", TraceFormat.names()))));
    private final ArgSpec columns =
        add(
            option(
                "--columns",
                "NAMES",
                String.class,
                ("The columns of a csv file, instead of its header line: %s, or - for one that is not"
                        + " read.")
                    .formatted(String.join(", ", TraceFormat.columns()))));
    private final ArgSpec out = add(output("The trace to write."));

    Import(Command parent) {
      super(parent, "Import a recording as a trace, which holds no key and no value.");
    }

    @Override
    public Integer call() throws IOException {
      List<String> given = source.getValue();
      if (given.size() > 2) {
        throw usageError("unexpected argument '" + given.get(2) + "'; give [FORMAT] FILE");
      }
      String name = given.get(given.size() - 1);
      Optional<TraceFormat> format =
          given.size() == 2 ? Optional.of(format(given.get(0))) : Optional.empty();
      List<String> named = columns(format);
      Path file = newFile(out.getValue());
      boolean standard = name.equals(STANDARD_INPUT);
      if (!standard && Files.isDirectory(Path.of(name))) {
        throw usageError("'" + name + "' is a folder; give a file");
      }
      try (InputStream in = standard ? System.in : Files.newInputStream(Path.of(name))) {
        terminal
            .out()
            .printf("%s: %s%n", file.getFileName(), TraceImport.of(name, in, format, named, file));
      }
      return ExitStatus.COMPLETED;
    }

    private List<String> columns(Optional<TraceFormat> format) {
      String given = columns.getValue();
      if (given == null) {
        return List.of();
      }
      if (!format.equals(Optional.of(TraceFormat.CSV))) {
        throw usageError("--columns is for the format csv: 'kvrank trace import csv FILE'");
      }
      List<String> names = List.of(given.split(",", -1));
      List<String> known = TraceFormat.columns();
      for (String name : names) {
        if (!name.equals("-") && !known.contains(name)) {
          throw usageError(
              "unknown column '%s'; use %s, or - for one that is not read%s"
                  .formatted(name, String.join(", ", known), Suggestion.of(name, known)));
        }
      }
      if (!names.contains("key")) {
        throw usageError("--columns needs a column 'key'");
      }
      return names;
    }

    private TraceFormat format(String label) {
      List<String> names = TraceFormat.names();
      String unknown =
          "unknown format '%s'; use one of %s%s"
              .formatted(label, String.join(", ", names), Suggestion.of(label, names));
      return Labelled.of(TraceFormat.class, label).orElseThrow(() -> usageError(unknown));
    }
  }

  private static final class Show extends Command {

    private final ArgSpec file = add(trace());

    Show(Command parent) {
      super(parent, "Show the properties of a trace, and its hit ratios in caches.");
    }

    @Override
    public Integer call() throws IOException {
      TraceDescription.of(file.getValue()).lines().forEach(terminal.out()::println);
      return ExitStatus.COMPLETED;
    }
  }

  private static final class Fit extends Command {

    private final ArgSpec file = add(trace());

    private final ArgSpec out = add(output("The workload to write."));

    Fit(Command parent) {
      super(parent, "Write the workload that is closest to a trace, and how much they differ.");
    }

    @Override
    public Integer call() throws IOException {
      Path workload = newFile(out.getValue());
      String name = workload.getFileName().toString().replaceFirst("\\.ya?ml$", "");
      String text = new TraceFit(TraceDescription.of(file.getValue())).workload(name);
      Files.writeString(workload, text, StandardOpenOption.CREATE_NEW);
      text.lines()
          .takeWhile(line -> line.startsWith("#"))
          .forEach(line -> terminal.out().println(line.substring(1).strip()));
      return ExitStatus.COMPLETED;
    }
  }
}
