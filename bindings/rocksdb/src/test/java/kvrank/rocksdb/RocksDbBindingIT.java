package kvrank.rocksdb;

import kvrank.testkit.BindingContract;

final class RocksDbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "rocksdb";
  }
}
