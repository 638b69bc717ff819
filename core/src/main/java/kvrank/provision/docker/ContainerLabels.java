package kvrank.provision.docker;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.provision.host.Owner;

/** The labels of kvrank's containers, by which a later kvrank finds those of a killed one. */
final class ContainerLabels {

  /** A unique id of the server. */
  static final String RUN = "kvrank.run";

  /** The pid of the kvrank that owns the container. */
  static final String OWNER = "kvrank.owner-pid";

  private static final String OWNER_START = "kvrank.owner-start";
  private static final String OWNER_HOST = "kvrank.owner-host";

  private ContainerLabels() {}

  /** Returns the labels of a container of this process. */
  static SortedMap<String, String> of(String run) {
    Owner self = Owner.self();
    return new TreeMap<>(
        Map.of(
            RUN, run,
            OWNER, Long.toString(self.pid()),
            OWNER_START, self.start(),
            OWNER_HOST, host()));
  }

  /** Returns whether the labels name an ended process of this host. */
  static boolean ownerHasEnded(Map<String, String> labels) {
    String mark = labels.get(OWNER) + "-" + labels.getOrDefault(OWNER_START, "0");
    return host().equals(labels.get(OWNER_HOST))
        && Owner.marked(mark).filter(Owner::hasEnded).isPresent();
  }

  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
