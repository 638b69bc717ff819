package kvrank.kvrocks;

import kvrank.testkit.BindingContract;

final class KvrocksBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "kvrocks";
  }
}
