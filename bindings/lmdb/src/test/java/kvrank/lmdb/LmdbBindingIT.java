package kvrank.lmdb;

import kvrank.testkit.BindingContract;

final class LmdbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "lmdb";
  }
}
