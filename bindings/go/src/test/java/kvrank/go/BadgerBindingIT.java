package kvrank.go;

import kvrank.testkit.BindingContract;

final class BadgerBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "badger";
  }

  /** The log of values, and the one of the memory table. */
  @Override
  public int syncsPerInsert() {
    return 2;
  }
}
