package kvrank.scenario;

/** A value that was read, and the place where a problem with it is shown. */
record Located<T>(T value, SourceLocation place) {

  void report(String message, Object... arguments) {
    place.report(message, arguments);
  }
}
