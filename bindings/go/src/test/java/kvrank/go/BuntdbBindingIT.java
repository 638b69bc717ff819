package kvrank.go;

import kvrank.testkit.BindingContract;

final class BuntdbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "buntdb";
  }
}
