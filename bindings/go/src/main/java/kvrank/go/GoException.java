package kvrank.go;

/** What an engine says of a call that failed. */
final class GoException extends Exception {

  private static final long serialVersionUID = 1L;

  GoException(String message) {
    super(message);
  }
}
