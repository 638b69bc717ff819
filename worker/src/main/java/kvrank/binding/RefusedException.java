package kvrank.binding;

/** The engine understood the request and answered that it will not do it. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
