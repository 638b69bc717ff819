package kvrank.provision;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.engine.ProvisionMethod;
import org.apache.commons.codec.digest.DigestUtils;

/** An engine's executable, library or container image, with the start of its SHA-256. */
record EngineFile(String name, String digest) {

  private static final int DIGITS = 12;

  private static final ContentCache<String> DIGESTS = new ContentCache<>(EngineFile::digest);

  /** Returns the file of a method; empty if it has none, or one that this user cannot read. */
  static Optional<EngineFile> of(SurveyedMethod surveyed) {
    ProvisionMethod method = surveyed.status().method();
    return surveyed.subject().isEmpty()
            || method == ProvisionMethod.CONTAINER
            || method == ProvisionMethod.EXTERNAL
        ? Optional.empty()
        : of(Path.of(surveyed.subject()));
  }

  private static Optional<EngineFile> of(Path path) {
    try {
      return Optional.of(new EngineFile("'%s'".formatted(path), DIGESTS.of(path)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns an image with that id. */
  static EngineFile ofImage(String image, String id) {
    String digits = id.replaceFirst("^sha256:", "");
    return new EngineFile(
        "image '%s'".formatted(image), digits.substring(0, Math.min(DIGITS, digits.length())));
  }

  private static String digest(Path path) throws IOException {
    return new DigestUtils(DigestUtils.getSha256Digest()).digestAsHex(path).substring(0, DIGITS);
  }

  @Override
  public String toString() {
    return "%s (SHA-256 %s…)".formatted(name, digest);
  }
}
