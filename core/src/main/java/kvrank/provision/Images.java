package kvrank.provision;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/** Container images: here, to be pulled, or out of reach. */
final class Images {

  private final Docker docker;
  private final Duration pullLimit;
  private final Consumer<String> progress;
  // What the one attempt at pulling each image gave: empty if it is here now.
  private final Map<String, Optional<String>> pulls = new HashMap<>();

  /**
   * @param pullLimit how long pulling one image may take
   * @param progress is told about a pull, which can take minutes
   */
  Images(Docker docker, Duration pullLimit, Consumer<String> progress) {
    this.docker = docker;
    this.pullLimit = pullLimit;
    this.progress = progress;
  }

  /** Returns the image that the user's Testcontainers settings make of {@code image}. */
  static DockerImageName name(String image) {
    return ImageNameSubstitutor.instance().apply(DockerImageName.parse(image));
  }

  /** Returns whether the image is on this machine. */
  boolean here(String image) {
    return inspect(image).isPresent();
  }

  /** Returns why an attempt at pulling the image failed, if one did. */
  synchronized Optional<String> pullFailure(String image) {
    return pulls.getOrDefault(image, Optional.empty());
  }

  /**
   * Sees to it that the image is on this machine; tries to pull it once.
   *
   * @return why it is not
   */
  synchronized Optional<String> obtain(String image) {
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
          docker
              .client()
              .pullImageCmd(name.getUnversionedPart())
              .withTag(name.getVersionPart())
              .exec(pull)
              .awaitCompletion(pullLimit.toMillis(), TimeUnit.MILLISECONDS);
      return done
          ? Optional.empty()
          : Optional.of("pulling it took longer than %d s".formatted(pullLimit.toSeconds()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("pulling it was interrupted");
    } catch (IOException | RuntimeException e) {
      return Optional.of("it could not be pulled: " + Docker.rootMessage(e));
    }
  }

  /** Returns what is known of an image that is here: its name, id and digest. */
  SortedMap<String, String> facts(String image) {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("image", image);
    inspect(image)
        .ifPresent(
            found -> {
              facts.put("imageId", found.getId());
              List<String> digests = found.getRepoDigests();
              if (digests != null && !digests.isEmpty()) {
                facts.put("imageDigest", digests.get(0));
              }
            });
    return facts;
  }

  private Optional<InspectImageResponse> inspect(String image) {
    try {
      return Optional.of(
          docker.client().inspectImageCmd(name(image).asCanonicalNameString()).exec());
    } catch (NotFoundException e) {
      return Optional.empty();
    }
  }
}
