package kvrank.binding;

import site.ycsb.DBException;

/** A property of a binding is missing, unknown or has a wrong value. */
public final class PropertyException extends DBException {

  private static final long serialVersionUID = 1L;

  public PropertyException(String message) {
    super(message);
  }
}
