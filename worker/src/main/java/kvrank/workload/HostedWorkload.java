package kvrank.workload;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A workload that somebody else wrote for YCSB.
 *
 * @param className the name of a class that extends {@link site.ycsb.Workload}
 * @param properties what it is initialised with, besides what the phase says
 * @param classpath the jars and folders that it comes in, if it is not part of YCSB's core
 */
public record HostedWorkload(
    String className, SortedMap<String, String> properties, List<Path> classpath) {

  public HostedWorkload {
    properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    classpath = List.copyOf(classpath);
  }
}
