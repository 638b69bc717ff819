package kvrank.provision.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.ServerDefinition;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Merging;
import kvrank.provision.host.Boot;
import kvrank.provision.host.ProvisionException;

/**
 * A server as it was when it became ready.
 *
 * @param connection placeholders of the binding's properties, such as {@code host} and {@code port}
 * @param endpoints one address for each member of a cluster
 * @param pid the process on this host to watch, if any
 * @param data the folder of the engine's files on this host, if visible
 * @param credentials the binding's properties for the password that kvrank has set, if any
 */
public record ReadyServer(
    SortedMap<String, String> connection,
    Facts facts,
    List<ServerAddress> endpoints,
    OptionalLong pid,
    Optional<Path> data,
    SortedMap<String, String> credentials) {

  public ReadyServer {
    connection = Collections.unmodifiableSortedMap(new TreeMap<>(connection));
    facts = Facts.copyOf(facts);
    endpoints = List.copyOf(endpoints);
    credentials = Collections.unmodifiableSortedMap(new TreeMap<>(credentials));
  }

  /** Returns this server with the password of its start. */
  public ReadyServer with(SortedMap<String, String> itsCredentials) {
    return new ReadyServer(connection, facts, endpoints, pid, data, itsCredentials);
  }

  /** Returns the server in {@code resources} as ready, without asking it. */
  static ReadyServer of(
      ServerSpec spec,
      ServerResources resources,
      SortedMap<String, String> connection,
      Facts facts,
      List<ServerAddress> endpoints) {
    OptionalLong pid = resources.process().map(StartedServer::pid).orElse(OptionalLong.empty());
    pid.ifPresent(number -> facts.put(Fact.PID, number));
    facts.put(Fact.WAY, spec.method().label());
    resources
        .data()
        .map(path -> spec.boot().map(Boot::data).orElse(path))
        .ifPresent(path -> connection.put("data", path.toString()));
    return new ReadyServer(connection, facts, endpoints, pid, resources.data(), new TreeMap<>());
  }

  /** Waits for all members and adds their facts; throws if one ends, is silent or differs. */
  public static ReadyServer await(
      ServerSpec spec,
      ServerResources resources,
      List<? extends StartedServer> members,
      Facts facts,
      Duration limit)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = spec.definition();
    List<ServerAddress> endpoints = new ArrayList<>();
    SortedMap<String, Set<String>> reported = new TreeMap<>();
    for (StartedServer member : members) {
      ServerAddress endpoint = new Readiness(member, definition.ready(), limit, resources).await();
      endpoints.add(endpoint);
      SortedMap<String, String> answers = TcpProbe.answers(endpoint, definition.facts());
      spec.requireExpected(answers, members.size() == 1 ? "it" : "its member " + endpoint);
      answers.forEach(
          (name, answer) ->
              reported.computeIfAbsent(name, any -> new LinkedHashSet<>()).add(answer));
      if (members.size() > 1) {
        int number = endpoints.size();
        facts.put(Fact.MEMBER_ADDRESS, number, endpoint.toString());
        answers.forEach(
            (name, answer) ->
                facts.put(Fact.ENGINE, "member.%d.%s".formatted(number, name), answer));
      }
      facts.putAll(member.facts());
    }
    // Many servers derive it from the limit of open files; it does not identify an engine.
    Optional.ofNullable(reported.remove(definition.connections().orElse("")))
        .ifPresent(answers -> facts.put(Fact.CONNECTIONS_LIMIT, String.join(Merging.AND, answers)));
    reported.forEach((name, answers) -> facts.putReported(name, String.join(Merging.AND, answers)));
    if (spec.method() == ProvisionMethod.BUNDLED) {
      Optional.ofNullable(definition.released().get(facts.text(Fact.ENGINE_VERSION)))
          .ifPresent(year -> facts.put(Fact.RELEASED, year));
    }
    ServerAddress first = endpoints.get(0);
    facts.put(Fact.ADDRESS, first.kind().label()).put(Fact.SERVER_HOST, first.host());
    if (first.port() > 0) {
      facts.put(Fact.PORT, first.port());
    }
    SortedMap<String, String> connection = new TreeMap<>();
    connection.put("host", first.host());
    connection.put("port", Integer.toString(first.port()));
    if (members.size() > 1) {
      facts.put(Fact.MEMBERS, spec.subject());
      connection.put("members", spec.subject());
    }
    return of(spec, resources, connection, facts, endpoints);
  }
}
