package kvrank.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Written last; its presence means that the run is over. */
  public Path record() {
    return path.resolve("record.json");
  }

  /** Latency histograms in nanoseconds, tagged {@code phase/operation}. */
  public Path latencyLog() {
    return path.resolve("latency.hlog");
  }

  /** Operations over time. */
  public Path timeline() {
    return path.resolve("timeline.csv");
  }

  /** Memory, CPU and I/O of server and client over time. */
  public Path resources() {
    return path.resolve("resources.csv");
  }

  /** Returns what tells the machines apart that the load came from, as CSV. */
  public Path generators() {
    return path.resolve("generators.csv");
  }

  /** Returns the folder of one of several machines of the load, by its number from 0. */
  public RunDirectory generator(int number) {
    return new RunDirectory(path.resolve("generators").resolve(Integer.toString(number)));
  }

  /** Returns what the worker was told. */
  public Path workerSpec() {
    return path.resolve("worker.properties");
  }

  /** Returns what the worker and the binding printed. */
  public Path workerLog() {
    return path.resolve("worker.log");
  }

  /** Returns what the server printed. */
  public Path serverLog() {
    return path.resolve("server.log");
  }

  /** Returns the folder of the crash of that number, from 1. */
  public Path crash(int number) {
    return path.resolve("crash-" + number);
  }

  /** Returns the folder of an attempt that others disturbed, by its number from 1. */
  public RunDirectory disturbed(int attempt) {
    return new RunDirectory(path.resolveSibling(path.getFileName() + ".disturbed-" + attempt));
  }

  /** Makes this the folder of that attempt. */
  public void setAside(int attempt) throws IOException {
    Files.move(path, disturbed(attempt).path());
  }

  /** Returns whether the run is over. */
  public boolean complete() {
    return Files.exists(record());
  }

  /** Returns whether it has a whole record, which a power cut may prevent, that needs no repeat. */
  public boolean done() throws NewerException {
    try {
      return complete() && !read().worthAnotherTry();
    } catch (NewerException e) {
      throw e;
    } catch (UnreadableException e) {
      return false;
    }
  }

  /** Writes the record, whole or not at all. */
  public void write(RunRecord record) throws IOException {
    Files.createDirectories(path);
    Json.write(record(), Json.file(record));
  }

  /** Returns the record; throws if it is broken, or of another run. */
  public RunRecord read() throws UnreadableException {
    RunRecord read = Json.read(record(), RunRecord.class);
    String id = path.getFileName().toString().replaceFirst("\\.disturbed-[0-9]+$", "");
    if (!id.equals(read.id())) {
      throw new UnreadableException(
          "%s: is of the run %s; 'run --resume' does this one again"
              .formatted(record(), read.id()));
    }
    RunRecord current = read.with(renamed(read.facts()));
    return read.facts().has(Fact.FAILED_BY_MACHINE)
            && read.outcome() instanceof Outcome.Broken broken
        ? current.with(broken.with(Cause.MACHINE))
        : current;
  }

  /**
   * Returns facts under their current names, without the one that is part of the outcome now. Older
   * records have an engine's without prefix.
   */
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
