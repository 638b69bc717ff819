package kvrank.input;

/** A value and its place in the input, at which problems with it are reported. */
public record Located<T>(T value, SourceLocation place) {

  public void report(String message, Object... arguments) {
    place.report(message, arguments);
  }
}
