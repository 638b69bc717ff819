package kvrank.provision;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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

  /** Returns the file of a method; empty if it has none. */
  static Optional<EngineFile> of(SurveyedMethod surveyed) {
    ProvisionMethod method = surveyed.status().method();
    return surveyed.subject().isEmpty()
            || method == ProvisionMethod.CONTAINER
            || method == ProvisionMethod.EXTERNAL
        ? Optional.empty()
        : Optional.of(of(Path.of(surveyed.subject())));
  }

  private static EngineFile of(Path path) {
    try (InputStream file = Files.newInputStream(path);
        DigestInputStream in = new DigestInputStream(file, MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      byte[] digest = in.getMessageDigest().digest();
      return new EngineFile(path, HexFormat.of().formatHex(digest).substring(0, DIGITS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  @Override
  public String toString() {
    return "'%s' (SHA-256 %s…)".formatted(path, digest);
  }
}
