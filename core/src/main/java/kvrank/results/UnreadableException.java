package kvrank.results;

/** A file of a results directory cannot be used; the message names it and the reason. */
public class UnreadableException extends Exception {

  private static final long serialVersionUID = 1L;

  public UnreadableException(String message) {
    super(message);
  }

  /** The file is from a newer kvrank. */
  public static final class NewerException extends UnreadableException {

    private static final long serialVersionUID = 1L;

    NewerException(String message) {
      super(message);
    }
  }
}
