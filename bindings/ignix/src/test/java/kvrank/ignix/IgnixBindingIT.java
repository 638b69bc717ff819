package kvrank.ignix;

import kvrank.testkit.BindingContract;

final class IgnixBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "ignix";
  }
}
