package kvrank.failure;

/** A failure and who is to blame; the message may contain an engine's words. */
public record Failure(Cause cause, String message) {

  /** Returns this with another cause, and the evidence for it before the message. */
  public Failure blamedOn(Cause other, String evidence) {
    return new Failure(other, evidence + ": " + message);
  }
}
