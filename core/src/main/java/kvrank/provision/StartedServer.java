package kvrank.provision;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.HostPort;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineDefinition.Exchange;
import kvrank.scenario.EngineSpec.Access;

/** A process that was started, ready or not; by default, one that somebody else runs. */
interface StartedServer {

  /** Returns where clients may reach it, the best first. */
  List<ServerAddress> endpoints();

  /** Returns whether what answers at {@code endpoint} is this process and no other. */
  default boolean answersAt(ServerAddress endpoint) {
    return true;
  }

  /** Returns the process to sample, as this host numbers it, if it can be seen from here. */
  default OptionalLong pid() {
    return OptionalLong.empty();
  }

  /** Returns how it ended, as "exited with status 1"; empty while it runs. Cheap. */
  default Optional<String> ending() {
    return Optional.empty();
  }

  /** Image, executable and the like. */
  default SortedMap<String, String> facts() {
    return new TreeMap<>();
  }

  /** Waits a moment until all that an ended process wrote is in its log. */
  default void settleLog() {}

  /**
   * Ends it and what it started by SIGKILL, and returns when it has ended, or throws what "it" did.
   * What it has on disk stays.
   */
  default void kill() throws ProvisionException, InterruptedException {
    throw new ProvisionException("it runs already and is not kvrank's to kill");
  }

  /** Ends it, by force if need be. Idempotent. */
  default void stop() {}

  /** A server that somebody else runs: it is used, and left as it is. */
  record External(ServerAddress address) implements StartedServer {

    /** Returns the servers at {@code host:port}, with commas between them, as {@link #at} does. */
    static List<External> all(String places, Access access, EngineDefinition engine)
        throws ProvisionException {
      List<External> all = new ArrayList<>();
      for (String place : places.split(",", -1)) {
        all.add(at(place, access, engine));
      }
      return all;
    }

    /** Returns the server at {@code host:port}, or throws if the password cannot be read. */
    static External at(String place, Access access, EngineDefinition engine)
        throws ProvisionException {
      HostPort at = HostPort.of(place).orElseThrow();
      return new External(
          new ServerAddress(
              at.host(),
              at.port(),
              ServerAddress.Kind.EXTERNAL,
              login(credentials(access), engine),
              access.tls()));
    }

    private static SortedMap<String, String> credentials(Access access) throws ProvisionException {
      try {
        return access.credentials();
      } catch (IOException e) {
        throw new ProvisionException("its password is missing: " + e.getMessage(), e);
      }
    }

    /** Returns what is sent first to a server that asks for {@code credentials}, if it does. */
    static Optional<Exchange> login(SortedMap<String, String> credentials, EngineDefinition engine)
        throws ProvisionException {
      if (credentials.isEmpty()) {
        return Optional.empty();
      }
      SortedMap<String, String> known = new TreeMap<>();
      for (Map.Entry<String, String> each : credentials.entrySet()) {
        byte[] bytes = each.getValue().getBytes(UTF_8);
        known.put(each.getKey(), new String(bytes, ISO_8859_1));
        known.put(each.getKey() + "-bytes", Integer.toString(bytes.length));
      }
      SortedMap<String, Exchange> logins = engine.server().orElseThrow().login();
      Exchange login = logins.get(known.containsKey("user") ? "user" : "password");
      String send = new Placeholders(engine.name(), known).resolve(login.send());
      return Optional.of(new Exchange(send, login.match()));
    }

    @Override
    public List<ServerAddress> endpoints() {
      return List.of(address);
    }
  }
}
