package kvrank.h2;

import kvrank.testkit.BindingContract;

final class MvStoreBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "h2-mvstore";
  }
}
