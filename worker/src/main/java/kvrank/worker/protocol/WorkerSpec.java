package kvrank.worker.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Dataset;

/**
 * Everything that a worker needs to know. The controller tells it, and writes all but secrets to a
 * file.
 *
 * @param binding the name of a class that extends {@link site.ycsb.DB}
 * @param properties the binding's properties, connection included
 * @param seed the seed of every choice that the worker makes
 * @param dataset the records that the load inserts
 * @param verify whether each value that is read is checked against its key
 * @param output the folder for {@code latency.hlog} and {@code timeline.csv}
 * @param phases the phases in order, the load first
 */
public record WorkerSpec(
    String binding,
    SortedMap<String, String> properties,
    long seed,
    Dataset dataset,
    boolean verify,
    Path output,
    List<WorkerPhase> phases) {

  public WorkerSpec {
    properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    phases = List.copyOf(phases);
  }

  /** Writes this to {@code file}, readable for people: a properties file, sorted. */
  public void write(Path file) throws IOException {
    Files.write(
        file, RecordCodec.encode(this).stream().sorted().toList(), StandardCharsets.US_ASCII);
  }

  /** Returns the same with more properties of the binding. */
  public WorkerSpec with(SortedMap<String, String> more) {
    SortedMap<String, String> merged = new TreeMap<>(properties);
    merged.putAll(more);
    return new WorkerSpec(binding, merged, seed, dataset, verify, output, phases);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if something is missing or malformed
   */
  public static WorkerSpec read(Path file) throws IOException {
    try {
      return RecordCodec.decode(
          WorkerSpec.class, Files.readAllLines(file, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }
}
