package kvrank.ssdb;

import kvrank.testkit.BindingContract;

final class SsdbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "ssdb";
  }
}
