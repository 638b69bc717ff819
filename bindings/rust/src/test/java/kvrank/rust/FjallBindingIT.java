package kvrank.rust;

import kvrank.testkit.BindingContract;

final class FjallBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "fjall";
  }
}
