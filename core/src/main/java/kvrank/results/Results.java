package kvrank.results;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one results directory holds.
 *
 * @param directory where it was read from
 * @param manifest what was asked and planned
 * @param environment the machine, by the name of the fact
 * @param runs the records that are there, in the order of the plan
 * @param unreadable a message, naming the file, for each record that could not be read
 */
public record Results(
    Path directory,
    Manifest manifest,
    SortedMap<String, String> environment,
    List<RunRecord> runs,
    List<String> unreadable) {

  public Results {
    requireNonNull(directory, "directory is null");
    requireNonNull(manifest, "manifest is null");
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    runs = List.copyOf(runs);
    unreadable = List.copyOf(unreadable);
  }
}
