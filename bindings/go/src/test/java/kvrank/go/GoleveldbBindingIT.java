package kvrank.go;

import kvrank.testkit.BindingContract;

final class GoleveldbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "goleveldb";
  }
}
