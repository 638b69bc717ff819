package kvrank.provision.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.binding.net.HostPort;
import kvrank.binding.net.Tls;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Exchange;
import kvrank.engine.ServerDefinition;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.provision.host.ProvisionException;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.EngineSpec.ServerChoice;

/** Connects to running servers of others, and leaves them as they are. */
public record ExternalStarter(Duration startLimit) implements ServerStarter {

  private static final Duration SURVEY_LIMIT = Duration.ofSeconds(2);

  /** Bits of a folder's mode. */
  private static final int WRITABLE_BY_ALL = 0002;

  private static final int STICKY = 01000;

  private record Member(ServerAddress address) implements StartedServer {

    @Override
    public List<ServerAddress> endpoints() {
      return List.of(address);
    }
  }

  @Override
  public ReadyServer start(ServerSpec spec, ServerResources resources)
      throws ProvisionException, InterruptedException {
    List<Member> members = new ArrayList<>();
    for (String place : spec.subject().split(",", -1)) {
      members.add(new Member(at(place, spec.access(), spec.engine())));
    }
    resources.launch(() -> members.get(0));
    String unknown = "unknown: the server was running before";
    return ReadyServer.await(
        spec, resources, members, new Facts().put(Fact.SETTINGS, unknown), startLimit);
  }

  /** Returns the server's address; throws if the password cannot be read. */
  private static ServerAddress at(String place, Access access, EngineDefinition engine)
      throws ProvisionException {
    HostPort at = HostPort.of(place).orElseThrow();
    try {
      Optional<Exchange> login = ServerAddress.login(access.credentials(), engine);
      Optional<Path> socket = HostPort.socket(at.host());
      if (socket.isPresent() && login.isPresent()) {
        requireOwned(socket.get());
      }
      return new ServerAddress(
          at.host(), at.port(), ServerAddress.Kind.EXTERNAL, login, access.tls());
    } catch (IOException e) {
      // It existed when the scenario was read.
      throw new ProvisionException(
          new Failure(Cause.OUTSIDER, "its password is missing: " + e.getMessage()), e);
    }
  }

  /** Throws if another user may have put {@code socket} there to read the password. */
  static void requireOwned(Path socket) throws ProvisionException {
    try {
      Path real = socket.toRealPath();
      int mode = (int) Files.getAttribute(real.getParent(), "unix:mode");
      Object owner = Files.getAttribute(real, "unix:uid");
      boolean kept =
          (mode & STICKY) != 0
              && (owner.equals(0)
                  || owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")));
      if ((mode & WRITABLE_BY_ALL) != 0 && !kept) {
        throw new ProvisionException(
            Cause.OUTSIDER,
            "its password is not sent to '%s': another user can put a socket there; move it to a folder that only the server's user can write"
                .formatted(socket));
      }
    } catch (IOException e) {
      throw new ProvisionException(
          new Failure(Cause.OUTSIDER, "'%s' cannot be used: %s".formatted(socket, Reason.of(e))),
          e);
    }
  }

  /** Returns the reason why the servers of {@code choice} cannot be used; empty if they can. */
  public static Optional<String> problem(EngineDefinition engine, ServerChoice choice) {
    List<ServerAddress> members = new ArrayList<>();
    for (String place : choice.addresses()) {
      Optional<String> problem = problem(engine, choice, place, members);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  /** Adds a usable server to {@code members}, or returns the problem; checks all at the last. */
  private static Optional<String> problem(
      EngineDefinition engine, ServerChoice choice, String place, List<ServerAddress> members) {
    ServerDefinition server = engine.server().orElseThrow();
    try {
      ServerAddress address = at(place, choice.access(), engine);
      TcpProbe probe = new TcpProbe(SURVEY_LIMIT, SURVEY_LIMIT);
      TcpProbe.Answer pong = probe.ask(address, server.ready());
      if (pong.value().isPresent()) {
        // A server that answers everything with a pong is not the engine.
        TcpProbe.answers(address, server.facts().subMap("version", "version\0"));
        members.add(address);
        return members.size() == choice.addresses().size() && server.cluster().isPresent()
            ? ClusterView.problem(probe, members, server.cluster().get())
            : Optional.empty();
      }
      String instead = pong.received().lines().findFirst().orElse("");
      // The TLS alert after plain text.
      if (pong.received().startsWith("\u0015\u0003")) {
        return Optional.of(
            "'%s' speaks TLS; set 'external: {address: \"%s\", tls: true}'"
                .formatted(place, choice.argument()));
      }
      boolean unknown =
          choice.access().credentials().isEmpty() && server.login().containsKey("password");
      return Optional.of(
          "'%s' does not answer the engine's ping%s%s"
              .formatted(
                  place,
                  instead.isEmpty() ? "" : ", but '" + instead + "'",
                  unknown && !instead.isEmpty()
                      ? "; if it needs a password, set 'external: {address: \"%s\", password: {env: NAME}}'"
                          .formatted(choice.argument())
                      : ""));
    } catch (IOException e) {
      String reason = Reason.of(e);
      // With TLS 1.3 a server refuses a client after the handshake, by closing.
      boolean anonymous =
          !Tls.failed(e)
              && choice.access().tls().filter(tls -> tls.certificate().isEmpty()).isPresent();
      return Optional.of(
          "'%s' cannot be reached: %s%s"
              .formatted(
                  place,
                  reason,
                  anonymous
                      ? "; if it requires a client certificate, add 'cert: FILE, key: FILE'"
                      : ""));
    } catch (IllegalArgumentException | ProvisionException e) {
      return Optional.of("'%s' cannot be used: %s".formatted(place, e.getMessage()));
    }
  }
}
