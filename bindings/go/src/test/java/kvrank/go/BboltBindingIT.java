package kvrank.go;

import kvrank.testkit.BindingContract;

final class BboltBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "bbolt";
  }
}
