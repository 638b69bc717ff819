package kvrank.provision.server;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvrank.engine.ServerDefinition.Cluster;

/** Checks members and key owners of a cluster, as its members report them. */
final class ClusterView {

  private ClusterView() {}

  /** Returns the reason why {@code named} are not exactly the key owners of one cluster, if so. */
  static Optional<String> problem(TcpProbe probe, List<ServerAddress> named, Cluster cluster)
      throws IOException {
    Map<String, ServerAddress> members = new LinkedHashMap<>();
    Map<ServerAddress, SortedMap<String, String>> views = new LinkedHashMap<>();
    for (ServerAddress address : named) {
      TcpProbe.Answer answer = probe.ask(address, cluster.nodes());
      Optional<String> name = answer.value().filter(text -> !text.isEmpty());
      if (name.isEmpty()) {
        return named.size() == 1
            ? Optional.empty()
            : Optional.of("'%s' is not a member of a cluster".formatted(address));
      }
      ServerAddress same = members.put(name.get(), address);
      if (same != null) {
        return Optional.of(
            "'%s' and '%s' are the same member of a cluster".formatted(same, address));
      }
      SortedMap<String, String> owners = new TreeMap<>();
      Pattern.compile(cluster.owner())
          .matcher(answer.received())
          .results()
          .forEach(owner -> owners.put(owner.group(1), owner.group(2)));
      views.put(address, owners);
    }
    return views.entrySet().stream()
        .filter(view -> !view.getValue().keySet().equals(members.keySet()))
        .map(view -> other(view.getKey(), view.getValue()))
        .findFirst();
  }

  /**
   * Returns the slots of each key owner by its address, as the first member that answers reports
   * them; empty if none does.
   */
  static SortedMap<String, String> slots(
      TcpProbe probe, List<ServerAddress> members, Cluster cluster) {
    SortedMap<String, String> slots = new TreeMap<>();
    for (ServerAddress member : members) {
      try {
        String received = probe.ask(member, cluster.nodes()).received();
        Pattern.compile(cluster.owner())
            .matcher(received)
            .results()
            .forEach(
                owner -> {
                  // The expression ends with the first character of the slots.
                  String rest = received.substring(owner.end() - 1);
                  // Slots under way have the name of the other member.
                  slots.put(
                      owner.group(2),
                      rest.lines().findFirst().orElse("").replaceAll(" ?\\[.*", ""));
                });
        if (!slots.isEmpty()) {
          return slots;
        }
      } catch (IOException e) {
        // Another member may answer.
      }
    }
    return slots;
  }

  /** Returns the changes from {@code before} to {@code after}; empty if there are none. */
  static String moved(SortedMap<String, String> before, SortedMap<String, String> after) {
    Set<String> members = new TreeSet<>(before.keySet());
    members.addAll(after.keySet());
    return members.stream()
        .filter(member -> !before.getOrDefault(member, "").equals(after.getOrDefault(member, "")))
        .map(
            member ->
                "%s had %s, has %s"
                    .formatted(
                        member,
                        before.getOrDefault(member, "none"),
                        after.getOrDefault(member, "none")))
        .collect(Collectors.joining("; "));
  }

  private static String other(ServerAddress member, SortedMap<String, String> owners) {
    if (owners.isEmpty()) {
      return "'%s' is a member of a cluster in which no server holds keys; assign its slots first"
          .formatted(member);
    }
    String addresses = owners.values().stream().sorted().collect(Collectors.joining(","));
    return "'%s' is a member of a cluster; name the servers that hold its keys, and no others: 'external: \"%s\"'"
        .formatted(member, addresses);
  }
}
