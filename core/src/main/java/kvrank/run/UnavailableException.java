package kvrank.run;

import java.util.Set;

/** Engines of the scenario, or its power cuts, are not available, and nothing was started. */
public final class UnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean nothingLeft;

  UnavailableException(Set<String> engines, boolean nothingLeft) {
    super(
        nothingLeft
            ? "no engine of this scenario is available here; nothing was started"
            : "--require-all: %s %s not available here; nothing was started"
                .formatted(String.join(", ", engines), engines.size() == 1 ? "is" : "are"));
    this.nothingLeft = nothingLeft;
  }

  /**
   * @param noPowerCut why no power cut is possible
   */
  UnavailableException(String noPowerCut) {
    super(
        "--require-all: no power cut is possible here: %s; nothing was started"
            .formatted(noPowerCut));
    this.nothingLeft = false;
  }

  /** Returns whether no engine remains to be measured. */
  public boolean nothingLeft() {
    return nothingLeft;
  }
}
