package kvrank.provision.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.ProvisionMethod;
import kvrank.failure.Cause;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.provision.host.Boot;
import kvrank.provision.host.PidNamespace;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;
import kvrank.provision.server.Placeholders.Configuration;
import kvrank.provision.server.Placeholders.Guarded;

/** Starts executables as processes of this machine, on {@code cpus} as for taskset. */
public record ProcessStarter(
    Reaper reaper, Optional<String> cpus, ListenAddress address, Ports ports, Duration startLimit)
    implements ServerStarter {

  private static final int PORT_ATTEMPTS = 5;

  @Override
  public ReadyServer start(ServerSpec spec, ServerResources resources)
      throws ProvisionException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      int port = spec.definition().local() ? 0 : ports.next(spec);
      try {
        ReadyServer ready = start(spec, resources, port);
        ports.got(spec, port);
        return ready;
      } catch (ProvisionException e) {
        // Before they are closed by its end.
        Optional<String> strangers = strangers(port);
        resources.stop();
        ProvisionException failure = resources.closed() ? e : explained(e, port, strangers);
        boolean taken = failure instanceof PortTakenException && attempt < PORT_ATTEMPTS;
        boolean blamed =
            failure.failure().cause() == Cause.ENGINE
                && !resources.closed()
                && resources.shortage().isEmpty();
        if (!taken && !(blamed && ports.giveUp(spec, port))) {
          throw failure;
        }
      }
    }
  }

  private ReadyServer start(ServerSpec spec, ServerResources resources, int port)
      throws ProvisionException, InterruptedException {
    SortedMap<String, String> places =
        new TreeMap<>(
            Map.of(
                "port", Integer.toString(port),
                "bind", address.host(),
                "data", spec.place().toAbsolutePath().normalize().toString(),
                "executable", spec.subject()));
    ServerAddress.Kind kind =
        address.loopback() ? ServerAddress.Kind.LOOPBACK : ServerAddress.Kind.INTERFACE;
    String host = address.host();
    if (spec.definition().local()) {
      kind = ServerAddress.Kind.UNIX;
      Path socket = resources.socket();
      host = "unix:" + socket;
      places.put("socket", socket.toString());
    }
    Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
    Path folder = resources.folder(configuration.files());
    if (spec.method() == ProvisionMethod.BUNDLED) {
      makeExecutable(new File(spec.subject()));
    }
    try {
      TrustedPath.requireProgram(Path.of(spec.subject()));
    } catch (IOException e) {
      throw new ProvisionException(Reason.located(e), e);
    }
    List<String> command = new ArrayList<>(reaper.session());
    command.addAll(Boot.server(spec.boot(), spec.hidden()));
    boolean enclosed = PidNamespace.problem().isEmpty();
    spec.group().ifPresent(group -> command.addAll(group.entry()));
    cpus.ifPresent(list -> command.addAll(List.of("taskset", "-c", list)));
    command.add(spec.subject());
    SortedMap<String, String> credentials = spec.login();
    Guarded guarded = configuration.guarded(spec.engine(), credentials, places);
    resources.hide(guarded.files());
    command.addAll(guarded.arguments());
    ServerAddress endpoint =
        new ServerAddress(
            host, port, kind, ServerAddress.login(credentials, spec.engine()), Optional.empty());
    StartedServer process =
        resources.launch(
            () -> ServerProcess.launch(spec, enclosed, command, folder, endpoint, reaper));
    ReadyServer ready =
        ReadyServer.await(spec, resources, List.of(process), configuration.facts(), startLimit);
    resources.forget(guarded.files().keySet());
    return ready.with(credentials);
  }

  private Optional<String> strangers(int port) {
    return address.loopback()
        ? ConnectionWatch.strangers(
            new ServerAddress(address.host(), port, ServerAddress.Kind.LOOPBACK))
        : Optional.empty();
  }

  /**
   * Returns the reason why a server, which has ended, did not start: {@code strangers} had all its
   * connections, or another program took the port between our check and the start.
   */
  private ProvisionException explained(
      ProvisionException failure, int port, Optional<String> strangers) {
    if (port == 0 || failure instanceof PortTakenException) {
      return failure;
    }
    if (Ports.free(address.host(), port)) {
      boolean blamed = failure.failure().cause() == Cause.ENGINE && strangers.isPresent();
      return blamed
          ? new CrowdedException(
              failure.failure().blamedOn(Cause.OUTSIDER, strangers.get()), failure)
          : failure;
    }
    ServerAddress place = new ServerAddress(address.host(), port, ServerAddress.Kind.INTERFACE);
    return new PortTakenException(place, new PortOwner(Path.of("/proc")).program(place));
  }

  /** A build that unpacks a jar loses permissions. */
  private static void makeExecutable(File file) throws ProvisionException {
    if (!file.canExecute() && !file.setExecutable(true)) {
      throw new ProvisionException(Cause.MACHINE, "'%s' cannot be made executable".formatted(file));
    }
  }
}
