package kvrank.go;

import kvrank.testkit.BindingContract;

final class BtreeBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "btree";
  }
}
