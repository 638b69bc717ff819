package kvrank.rust;

import kvrank.testkit.BindingContract;

final class SledBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "sled";
  }
}
