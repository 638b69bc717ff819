package kvrank.provision.docker;

import com.github.dockerjava.api.model.Network;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.testcontainers.dockerclient.DockerClientConfigUtils;
import org.testcontainers.dockerclient.DockerClientProviderStrategy;
import org.testcontainers.dockerclient.InvalidConfigurationException;
import org.testcontainers.dockerclient.TransportConfig;

/**
 * Gives Testcontainers, which needs a public class, the daemon of {@link DockerProbe}. In a
 * container, its own strategies would start Ryuk and a shell to find this machine's address.
 */
public final class LocalDocker extends DockerClientProviderStrategy {

  private final URI socket;

  public LocalDocker() {
    socket =
        new DockerProbe(System.getenv(), Path.of(System.getProperty("user.home")))
            .listeningSocket()
            .orElse(null);
  }

  @Override
  public String getDescription() {
    return "the daemon at " + socket;
  }

  @Override
  protected boolean isApplicable() {
    return socket != null;
  }

  @Override
  public TransportConfig getTransportConfig() throws InvalidConfigurationException {
    if (socket == null) {
      throw new InvalidConfigurationException("no Docker daemon listens on this machine");
    }
    return TransportConfig.builder().dockerHost(socket).build();
  }

  @Override
  public synchronized String getDockerHostIpAddress() {
    if (!DockerClientConfigUtils.IN_A_CONTAINER) {
      return "localhost";
    }
    List<Network.Ipam.Config> configs =
        getDockerClient().inspectNetworkCmd().withNetworkId("bridge").exec().getIpam().getConfig();
    return Objects.requireNonNullElse(configs, List.<Network.Ipam.Config>of()).stream()
        .map(Network.Ipam.Config::getGateway)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("localhost");
  }
}
