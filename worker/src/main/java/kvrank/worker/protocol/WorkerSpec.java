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
 * Everything that a worker needs. The controller sends it, and writes all of it except secrets to a
 * file.
 *
 * @param binding the name of a class that extends {@link site.ycsb.DB}
 * @param properties the binding's properties, connection included
 * @param verify whether values are checked after reads
 * @param external whether kvrank did not start the server
 * @param output the folder for {@code latency.hlog} and {@code timeline.csv}
 * @param phases in order, the load first
 */
public record WorkerSpec(
    String binding,
    SortedMap<String, String> properties,
    long seed,
    Dataset dataset,
    boolean verify,
    boolean external,
    Path output,
    List<WorkerPhase> phases) {

  public WorkerSpec {
    properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    phases = List.copyOf(phases);
  }

  /** Writes this as a sorted properties file. */
  public void write(Path file) throws IOException {
    Files.write(
        file, RecordCodec.encode(this).stream().sorted().toList(), StandardCharsets.US_ASCII);
  }

  public WorkerSpec with(SortedMap<String, String> more) {
    SortedMap<String, String> merged = new TreeMap<>(properties);
    merged.putAll(more);
    return new WorkerSpec(binding, merged, seed, dataset, verify, external, output, phases);
  }

  /**
   * Reads the file of {@link #write}.
   *
   * @throws IllegalArgumentException if an entry is missing or malformed
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
