package kvrank.provision.host;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import kvrank.input.Reason;

/** Checks flags with a JVM like the worker's. */
public final class JvmFlags {

  /** The flags of every worker: no concurrent collector competes with the engine. */
  public static final List<String> WORKER = List.of("-XX:+UseParallelGC", "-XX:-UsePerfData");

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Map<List<String>, String> TRIED = new ConcurrentHashMap<>();

  /** Flags that never prevent a start: unknown modules only cause warnings. */
  private static final Predicate<String> ACCEPTED =
      Pattern.compile("--add-(opens|exports)=[\\w.]+/[\\w.]+=[\\w.-]+|-D[\\w.]+=.*")
          .asMatchPredicate();

  private JvmFlags() {}

  /**
   * Returns the reason why a JVM rejects the {@code flags} of {@code engine}. The first call takes
   * 50 ms.
   */
  public static Optional<String> refusal(String engine, List<String> flags) {
    return refusal(flags)
        .map(
            reason ->
                "the worker's JVM refuses binding.jvm of the engine.yaml of %s, %s: %s"
                    .formatted(engine, String.join(" ", flags), reason));
  }

  static Optional<String> refusal(List<String> flags) {
    String refusal =
        flags.stream().allMatch(ACCEPTED) ? "" : TRIED.computeIfAbsent(flags, JvmFlags::tried);
    return refusal.isEmpty() ? Optional.empty() : Optional.of(refusal);
  }

  private static String tried(List<String> flags) {
    List<String> command = new ArrayList<>(flags);
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(1, WORKER);
    command.add("-version");
    try {
      Optional<CommandOutput> java =
          CommandOutput.of(Children.builder(command, Children.mark()), PATIENCE);
      if (java.isEmpty()) {
        return "it does not start within %d s".formatted(PATIENCE.toSeconds());
      }
      int status = java.get().status();
      return status == 0
          ? ""
          : java.get()
              .text()
              .lines()
              .filter(line -> !line.startsWith("Error occurred during init"))
              .findFirst()
              .orElse("it ends with status " + status);
    } catch (IOException e) {
      return Reason.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
