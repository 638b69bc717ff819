package kvrank.go;

import kvrank.testkit.BindingContract;

final class PogrebBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "pogreb";
  }
}
