package kvrank.binding;

/** The engine understood the request and answered that it will not do it. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The longest text of a server that is shown, in characters. */
  private static final int LONGEST = 300;

  public RefusedException(String message) {
    super(shown(message));
  }

  /** Returns what a server said as people can be shown it: without control characters, and cut. */
  public static String shown(String said) {
    return shown(said, LONGEST);
  }

  /** Returns what an engine said, without control characters and cut after {@code longest}. */
  public static String shown(String said, int longest) {
    String start = said.length() <= longest ? said : said.substring(0, longest) + "…";
    return start.replaceAll("\\p{Cntrl}+", " ");
  }
}
