package kvrank.input;

/** A value that was read, and the place where a problem with it is shown. */
public record Located<T>(T value, SourceLocation place) {

  public void report(String message, Object... arguments) {
    place.report(message, arguments);
  }
}
