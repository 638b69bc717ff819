package kvrank.mapdb;

import kvrank.testkit.BindingContract;

final class MapDbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "mapdb";
  }

  /** The log, and the file. */
  @Override
  public int syncsPerInsert() {
    return 2;
  }
}
