package kvrank.go;

/** An engine's error message. */
final class GoException extends Exception {

  private static final long serialVersionUID = 1L;

  GoException(String message) {
    super(message);
  }
}
