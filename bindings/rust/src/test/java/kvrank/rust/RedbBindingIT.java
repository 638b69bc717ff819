package kvrank.rust;

import kvrank.testkit.BindingContract;

final class RedbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "redb";
  }
}
