package kvrank.go;

import kvrank.testkit.BindingContract;

final class BoltBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "bolt";
  }
}
