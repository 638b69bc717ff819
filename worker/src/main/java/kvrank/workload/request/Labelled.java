package kvrank.workload.request;

import java.util.Locale;
import java.util.Optional;

/** An enum constant with a name in YAML, results and messages. */
public interface Labelled {

  String name();

  /** Returns the name in lower case with hyphens, for example {@code read-modify-write}. */
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static <E extends Enum<E> & Labelled> Optional<E> of(Class<E> type, String label) {
    for (E constant : type.getEnumConstants()) {
      if (constant.label().equals(label)) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }
}
