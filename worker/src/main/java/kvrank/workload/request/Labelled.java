package kvrank.workload.request;

import java.util.Locale;
import java.util.Optional;

/** A constant of an enum that has a name in YAML, results and messages. */
public interface Labelled {

  /** Returns the name in Java. */
  String name();

  /** Returns the name in lower case with hyphens, for example {@code read-modify-write}. */
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the constant of {@code type} with that label, if there is one. */
  static <E extends Enum<E> & Labelled> Optional<E> of(Class<E> type, String label) {
    for (E constant : type.getEnumConstants()) {
      if (constant.label().equals(label)) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }
}
