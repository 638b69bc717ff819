package kvrank.go;

import kvrank.testkit.BindingContract;

final class BboltBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "bbolt";
  }

  /** The pages, and the one that says where they are. */
  @Override
  public int syncsPerInsert() {
    return 2;
  }
}
