package kvrank.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.failure.Cause;
import kvrank.results.UnreadableException.NewerException;

/** The files of one run. */
public record RunDirectory(Path path) {

  /** The name of {@link Fact#ASKED} in older records. */
  private static final String OLD_ASKED = "engine.asked";

  /** Returns the record, which is written last: a run that has one is over. */
  public Path record() {
    return path.resolve("record.json");
  }

  /** Returns the latency histograms in nanoseconds, tagged {@code phase/operation}. */
  public Path latencyLog() {
    return path.resolve("latency.hlog");
  }

  public Path timeline() {
    return path.resolve("timeline.csv");
  }

  /** Returns memory, CPU and I/O of server and client over time. */
  public Path resources() {
    return path.resolve("resources.csv");
  }

  /** Returns the engine's own figures over time; few engines have some. */
  public Path counters() {
    return path.resolve("counters.csv");
  }

  /** Returns the comparison of the machines that generated the load, as CSV. */
  public Path generators() {
    return path.resolve("generators.csv");
  }

  /** Returns the folder of one load generator, numbered from 0. */
  public RunDirectory generator(int number) {
    return new RunDirectory(path.resolve("generators").resolve(Integer.toString(number)));
  }

  /** Returns the worker's instructions. */
  public Path workerSpec() {
    return path.resolve("worker.properties");
  }

  /** Returns the output of the worker and the binding. */
  public Path workerLog() {
    return path.resolve("worker.log");
  }

  public Path prepareLog() {
    return path.resolve("prepare.log");
  }

  public Path serverLog() {
    return path.resolve("server.log");
  }

  /** Returns the folder of a crash, numbered from 1. */
  public Path crash(int number) {
    return path.resolve("crash-" + number);
  }

  /** Returns the folder of a disturbed attempt, numbered from 1. */
  public RunDirectory disturbed(int attempt) {
    return new RunDirectory(path.resolveSibling(path.getFileName() + ".disturbed-" + attempt));
  }

  /** Renames this folder to that of a disturbed attempt. */
  public void setAside() throws IOException {
    Files.move(path, disturbed(attempts() + 1).path());
  }

  /** Sets a record with crashes aside before its run is repeated: what was lost stays lost. */
  public void setCrashesAside() throws IOException {
    boolean crashed;
    try {
      crashed = complete() && read().crashTest().filter(CrashTrialResult::begun).isPresent();
    } catch (UnreadableException e) {
      crashed = false;
    }
    if (crashed) {
      setAside();
    }
  }

  /** Returns the crashes of earlier attempts: the last one has those before it, too. */
  public Optional<CrashTrialResult> earlierCrashes() throws NewerException {
    List<RunRecord> earlier = earlier();
    return earlier.isEmpty() ? Optional.empty() : earlier.get(earlier.size() - 1).crashTest();
  }

  /** Returns the records of the attempts that were set aside, without damaged ones. */
  public List<RunRecord> earlier() throws NewerException {
    List<RunRecord> records = new ArrayList<>();
    int attempts = attempts();
    for (int attempt = 1; attempt <= attempts; attempt++) {
      try {
        records.add(disturbed(attempt).read());
      } catch (NewerException e) {
        throw e;
      } catch (UnreadableException e) {
        // A power cut may break a record.
      }
    }
    return records;
  }

  /** Returns the number of attempts that were set aside. */
  public int attempts() {
    int number = 0;
    while (disturbed(number + 1).complete()) {
      number++;
    }
    return number;
  }

  public boolean complete() {
    return Files.exists(record());
  }

  /** Returns whether the record is readable (a power cut may break it) and needs no repeat. */
  public boolean done() throws NewerException {
    try {
      return complete() && !read().worthAnotherTry();
    } catch (NewerException e) {
      throw e;
    } catch (UnreadableException e) {
      return false;
    }
  }

  /** Writes the record atomically. */
  public void write(RunRecord record) throws IOException {
    Files.createDirectories(path);
    Json.write(record(), Json.file(record));
  }

  /** Returns the record; throws if it is broken, or from another run. */
  public RunRecord read() throws UnreadableException {
    RunRecord read = Json.read(record(), RunRecord.class);
    String id = path.getFileName().toString().replaceFirst("\\.disturbed-[0-9]+$", "");
    if (!id.equals(read.id())) {
      throw new UnreadableException(
          "%s: belongs to run %s; 'run --resume' repeats this one".formatted(record(), read.id()));
    }
    RunRecord current = read.with(renamed(read.facts()));
    new Plausibility(record()).require(current);
    return read.facts().has(Fact.FAILED_BY_MACHINE)
            && read.outcome() instanceof Outcome.Broken broken
        ? current.with(broken.with(Cause.MACHINE))
        : current;
  }

  /** Returns facts under their current names: older records have engine facts without a prefix. */
  private static Facts renamed(Facts facts) {
    SortedMap<String, String> renamed = new TreeMap<>();
    facts
        .asMap()
        .forEach(
            (name, value) ->
                renamed.put(
                    name.equals(OLD_ASKED) && !facts.has(Fact.ASKED)
                        ? Fact.ASKED.label()
                        : Fact.find(Level.RUN, name).isPresent() ? name : Fact.ENGINE.named(name),
                    value));
    renamed.remove(Fact.FAILED_BY_MACHINE.label());
    return Facts.of(renamed);
  }
}
