package kvrank.provision.server;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvrank.engine.EngineDefinition.Cluster;

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

  private static String other(ServerAddress member, SortedMap<String, String> owners) {
    String addresses = owners.values().stream().sorted().collect(Collectors.joining(","));
    return "'%s' is a member of a cluster; name the servers that hold its keys, and no others: 'external: \"%s\"'"
        .formatted(member, addresses);
  }
}
