package kvrank.workload;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A YCSB workload.
 *
 * @param className the name of a class that extends {@link site.ycsb.Workload}
 * @param properties in addition to those of the phase
 * @param classpath jars and folders, unless it is part of YCSB's core
 */
public record HostedWorkload(
    String className, SortedMap<String, String> properties, List<Path> classpath) {

  public HostedWorkload {
    properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    classpath = List.copyOf(classpath);
  }
}
