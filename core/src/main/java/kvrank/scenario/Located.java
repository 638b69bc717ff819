package kvrank.scenario;

/**
 * A value that was read and where it stands.
 *
 * @param value what was read
 * @param place where a problem with it is shown
 */
record Located<T>(T value, SourceLocation place) {

  void report(String message, Object... arguments) {
    place.report(message, arguments);
  }
}
