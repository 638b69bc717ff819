package kvrank.input;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The parts of a foreign scenario that its user has allowed.
 *
 * @param secrets the environment variables and files that it may use as passwords, besides {@code
 *     KVRANK_…} and files in its own folder
 * @param programs returns whether it may start all of these: commands, executables, images and
 *     class files
 */
public record Consent(Set<String> secrets, Predicate<List<String>> programs) {

  /** Allows nothing. */
  public static final Consent NONE = new Consent(Set.of(), programs -> false);
}
