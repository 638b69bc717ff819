package kvrank.provision;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The labels by which kvrank knows its containers again, even after its own sudden death. */
final class ContainerLabels {

  /** One server; no two have the same. */
  static final String RUN = "kvrank.run";

  /** The pid of the kvrank that owns the container. */
  static final String OWNER = "kvrank.owner-pid";

  // A pid is given anew; the pid and the time of its start are not.
  private static final String OWNER_START = "kvrank.owner-start";
  private static final String OWNER_HOST = "kvrank.owner-host";

  private ContainerLabels() {}

  /** Returns the labels of a container of this process. */
  static SortedMap<String, String> of(String run) {
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put(RUN, run);
    labels.put(OWNER, Long.toString(ProcessHandle.current().pid()));
    labels.put(OWNER_START, start(ProcessHandle.current()));
    labels.put(OWNER_HOST, host());
    return labels;
  }

  /** Returns whether the labels name a process of this host that has ended. */
  static boolean ownerHasEnded(Map<String, String> labels) {
    String owner = labels.get(OWNER);
    if (owner == null || !host().equals(labels.get(OWNER_HOST))) {
      return false;
    }
    try {
      return ProcessHandle.of(Long.parseLong(owner))
          .filter(process -> start(process).equals(labels.get(OWNER_START)))
          .isEmpty();
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String start(ProcessHandle process) {
    Optional<Instant> start = process.info().startInstant();
    return start.map(instant -> Long.toString(instant.getEpochSecond())).orElse("unknown");
  }

  /** Returns the name of this host. */
  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
