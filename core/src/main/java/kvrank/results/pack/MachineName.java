package kvrank.results.pack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/**
 * The public name of a machine, for example {@code epyc-7763-2cpu-3fa1b2}: its processor, its CPUs
 * and a digest that distinguishes machines of the same kind. Results of one machine get one name.
 */
public final class MachineName {

  private static final String DIGEST = "-[0-9a-f]{6}";

  private static final Pattern FORM = Pattern.compile("(?!-|.*--)[a-z0-9.-]+-[0-9]+cpu" + DIGEST);

  /** Words of processors' names that all of a vendor have, and everything after a frequency. */
  private static final Pattern COMMON =
      Pattern.compile(
          "\\((?:r|tm|c)\\)|\\b(?:intel|amd|apple|core|cpu|processor|[0-9]+-core"
              + "|[0-9]+th gen|virtual)\\b|@.*| with .*");

  private static final Path IDENTITY = Path.of("/etc/machine-id");

  private static final int MOST_WORDS = 4;

  private MachineName() {}

  /** Returns whether {@code host} is such a name instead of the name of a host. */
  static boolean is(String host) {
    return FORM.matcher(host).matches();
  }

  /** Returns the name of the machine with these facts. */
  public static String of(Facts environment) {
    return of(environment, identity());
  }

  /**
   * Returns the name by a key that only this machine has: without it, anyone could try host names.
   */
  static String of(Facts environment, byte[] key) {
    String host = environment.text(Fact.HOST);
    if (is(host)) {
      return host;
    }
    return "%s-%scpu-%s"
        .formatted(
            processor(environment.text(Fact.CPU_MODEL)),
            environment.find(Fact.CPU_CORES).filter(n -> n.matches("[0-9]{1,5}")).orElse("0"),
            digest(host, key));
  }

  /** Returns the name without its digest, for a reader who sees no other machine of the kind. */
  public static String brief(String name) {
    return name.replaceFirst(DIGEST + "$", "");
  }

  private static String processor(String model) {
    String words =
        COMMON
            .matcher(model.toLowerCase(Locale.ROOT))
            .replaceAll(" ")
            .replaceAll("[^a-z0-9.]+", "-")
            .replaceAll("^[-.]+|[-.]+$", "");
    String[] parts = words.split("-", -1);
    return words.isEmpty()
        ? "unknown"
        : String.join("-", List.of(parts).subList(0, Math.min(MOST_WORDS, parts.length)));
  }

  private static String digest(String host, byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] digest = mac.doFinal(host.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 3);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** Returns the secret identity of this machine; a constant if it has none. */
  private static byte[] identity() {
    try {
      byte[] identity = Files.readAllBytes(IDENTITY);
      return identity.length == 0 ? new byte[1] : identity;
    } catch (IOException e) {
      return new byte[1]; // a container may have none
    }
  }
}
