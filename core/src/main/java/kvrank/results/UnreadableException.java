package kvrank.results;

/** A file of a results directory cannot be used; the message names it and says why. */
public final class UnreadableException extends Exception {

  private static final long serialVersionUID = 1L;

  public UnreadableException(String message) {
    super(message);
  }
}
