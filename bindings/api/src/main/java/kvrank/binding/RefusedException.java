package kvrank.binding;

/** The engine understood the request and refused it. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Maximum length of a server's message that is shown, in characters. */
  private static final int LONGEST = 300;

  /** Keeps a server's message in {@linkplain #printable printable} form. */
  public RefusedException(String message) {
    super(printable(message));
  }

  /** Returns a server's text without control characters, and cut after 300 characters. */
  public static String printable(String text) {
    return printable(text, LONGEST);
  }

  /** Returns an engine's text without control characters, and cut after {@code longest}. */
  public static String printable(String text, int longest) {
    String start = text.length() <= longest ? text : text.substring(0, longest) + "…";
    return start.replaceAll("\\p{Cntrl}+", " ");
  }
}
