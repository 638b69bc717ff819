package kvrank.provision;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import kvrank.engine.ProvisionMethod;

/** An engine's executable or library, with the start of its SHA-256. */
record EngineFile(Path path, String digest) {

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
      return Optional.of(new EngineFile(path, DIGESTS.of(path)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String digest(Path path) throws IOException {
    try (InputStream file = Files.newInputStream(path);
        DigestInputStream in = new DigestInputStream(file, MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest()).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  @Override
  public String toString() {
    return "'%s' (SHA-256 %s…)".formatted(path, digest);
  }
}
