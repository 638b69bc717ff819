package kvrank.provision.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Info;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;
import org.testcontainers.utility.TestcontainersConfiguration;

/** The Docker daemon, through Testcontainers, and its images. */
public final class Docker {

  private static final Duration PULL_LIMIT = Duration.ofMinutes(10);

  /** An error response: its status, and a JSON object with a message. */
  private static final Pattern ANSWER =
      Pattern.compile("Status \\d+: \\{\"message\":\"(.*)\"}\\s*", Pattern.DOTALL);

  /** A failed request of the daemon: its host, and the last reason. */
  private static final Pattern REQUEST =
      Pattern.compile(
          "(?:Get|Head) \"https?://([^/\"]+)[^\"]*\": (?:.*: )?([^:]+)", Pattern.DOTALL);

  private final CompletableFuture<Optional<String>> silence;
  private final Consumer<String> progress;
  // The result of the one attempt to find or pull each image: empty if it exists.
  private final Map<String, Optional<String>> pulls = new HashMap<>();
  private Optional<String> absence;
  private DockerClient client;
  private boolean rootless;
  private boolean local;

  /** Starts looking for a daemon; {@code progress} receives a line about each pull. */
  public Docker(Map<String, String> environment, Consumer<String> progress) {
    DockerProbe probe = new DockerProbe(environment, Path.of(System.getProperty("user.home")));
    this.progress = progress;
    this.silence = CompletableFuture.supplyAsync(probe::absence);
  }

  /** Creates one with a daemon that answers {@code client}. */
  Docker(DockerClient client) {
    this.progress = line -> {};
    this.silence = CompletableFuture.completedFuture(Optional.empty());
    this.absence = Optional.empty();
    this.client = client;
  }

  /** Returns the reason why no daemon answers; empty if one does, usable or not. */
  public Optional<String> silence() {
    return silence.join();
  }

  /** Returns the reason why no daemon can be used; empty if one can. Checked once. */
  public synchronized Optional<String> absence() {
    if (absence == null) {
      absence = silence();
      if (absence.isEmpty()) {
        absence = connect();
      }
    }
    return absence;
  }

  private Optional<String> connect() {
    try {
      configureTestcontainers();
      client = DockerClientFactory.instance().client();
      Info info = DockerClientFactory.instance().getInfo();
      List<String> security = info.getSecurityOptions();
      rootless =
          security != null && security.stream().anyMatch(option -> option.contains("rootless"));
      local =
          "localhost".equals(DockerClientFactory.instance().dockerHostIpAddress())
              || ContainerLabels.host().equals(info.getName());
      removeOrphans();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of("the Docker daemon cannot be used: " + rootMessage(e));
    }
  }

  // In memory only: the user's ~/.testcontainers.properties stays as it is.
  private static void configureTestcontainers() {
    Properties properties = TestcontainersConfiguration.getInstance().getUserProperties();
    // Reusable containers are left to their owner and need no Ryuk, whose image may be out of
    // reach and which would run during measurements. Our unique labels prevent actual reuse.
    properties.setProperty("testcontainers.reuse.enable", "true");
    properties.setProperty("docker.client.strategy", LocalDocker.class.getName());
  }

  /** Returns the client; throws if {@link #absence} was not empty. */
  synchronized DockerClient client() {
    if (client == null) {
      throw new IllegalStateException("no Docker daemon");
    }
    return client;
  }

  /** Returns whether the daemon runs as a user, who is root in its containers. */
  synchronized boolean rootless() {
    return rootless;
  }

  /** Returns where ports are published: only on this machine if the daemon is local. */
  synchronized String publishAddress() {
    return local ? "127.0.0.1" : "0.0.0.0";
  }

  private void removeOrphans() {
    List<Container> containers =
        client
            .listContainersCmd()
            .withShowAll(true)
            .withLabelFilter(List.of(ContainerLabels.OWNER))
            .exec();
    for (Container container : containers) {
      if (ContainerLabels.ownerHasEnded(container.getLabels())) {
        try {
          client
              .removeContainerCmd(container.getId())
              .withForce(true)
              .withRemoveVolumes(true)
              .exec();
          progress.accept("container " + String.join(", ", container.getNames()) + " is removed");
        } catch (DockerException e) {
          // Another kvrank is removing it.
        }
      }
    }
  }

  /** Returns the image after the user's Testcontainers settings for substitution. */
  static DockerImageName name(String image) {
    // A digest identifies the image; the tag before it does not matter.
    String exact = image.replaceFirst(":[^:/@]+(?=@sha256:)", "");
    return ImageNameSubstitutor.instance().apply(DockerImageName.parse(exact));
  }

  /** Returns whether the image is on this machine; the first success or failure is final. */
  public synchronized boolean here(String image) {
    Optional<String> before = pulls.get(image);
    if (before != null) {
      return before.isEmpty();
    }
    try {
      if (inspect(image).isEmpty()) {
        return false;
      }
      pulls.put(image, Optional.empty());
      return true;
    } catch (RuntimeException e) {
      pulls.put(image, Optional.of("the Docker daemon does not answer: " + rootMessage(e)));
      return false;
    }
  }

  /** Returns the reason for a failed pull, if one failed. */
  public synchronized Optional<String> pullFailure(String image) {
    return pulls.getOrDefault(image, Optional.empty());
  }

  /** Pulls a missing image, at most once; returns the reason why it is still missing. */
  public synchronized Optional<String> obtain(String image) {
    if (here(image)) {
      return Optional.empty();
    }
    if (!pulls.containsKey(image)) {
      progress.accept("pulling " + image + " …");
      pulls.put(image, pull(image));
    }
    return pulls.get(image);
  }

  private Optional<String> pull(String image) {
    DockerImageName name = name(image);
    try (PullImageResultCallback pull = new PullImageResultCallback()) {
      boolean done =
          client()
              .pullImageCmd(name.getUnversionedPart())
              .withTag(name.getVersionPart())
              .exec(pull)
              .awaitCompletion(PULL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      return done
          ? Optional.empty()
          : Optional.of("pulling it took longer than %d s".formatted(PULL_LIMIT.toSeconds()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("pulling it was interrupted");
    } catch (IOException | RuntimeException e) {
      return Optional.of("it could not be pulled: " + rootMessage(e));
    }
  }

  /** Returns the facts of a container's image; its name may be another one's by now. */
  Facts facts(String image, String id) {
    Facts facts = new Facts().put(Fact.IMAGE, image).put(Fact.IMAGE_ID, id);
    digest(image, inspected(id)).ifPresent(digest -> facts.put(Fact.IMAGE_DIGEST, digest));
    return facts;
  }

  /** Returns the digest in the registry that {@code image} names, else in any. */
  private static Optional<String> digest(String image, Optional<InspectImageResponse> inspected) {
    List<String> digests =
        inspected.map(InspectImageResponse::getRepoDigests).orElse(List.of()).stream()
            .sorted()
            .toList();
    String repository = name(image).getUnversionedPart() + "@";
    return digests.stream()
        .filter(digest -> digest.startsWith(repository))
        .findFirst()
        .or(() -> digests.stream().findFirst());
  }

  /** Returns the id of an image; empty if it is missing. */
  public Optional<String> id(String image) {
    return inspect(image).map(InspectImageResponse::getId);
  }

  private Optional<InspectImageResponse> inspect(String image) {
    return inspected(name(image).asCanonicalNameString());
  }

  private Optional<InspectImageResponse> inspected(String nameOrId) {
    try {
      return Optional.of(client().inspectImageCmd(nameOrId).exec());
    } catch (NotFoundException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the daemon does not answer. */
  static boolean unanswered(Throwable failure) {
    return root(failure) instanceof IOException;
  }

  private static Throwable root(Throwable failure) {
    return failure.getCause() == null ? failure : root(failure.getCause());
  }

  static String rootMessage(Throwable failure) {
    Throwable root = root(failure);
    return root.getMessage() == null ? root.toString() : sentence(root.getMessage().strip());
  }

  /** Returns the daemon's error message without its HTTP wrapping. */
  static String sentence(String message) {
    Matcher answer = ANSWER.matcher(message);
    String text = answer.matches() ? answer.group(1).replace("\\\"", "\"").strip() : message;
    Matcher request = REQUEST.matcher(text);
    return request.matches()
        ? "%s cannot be reached: %s".formatted(request.group(1), request.group(2))
        : text;
  }
}
