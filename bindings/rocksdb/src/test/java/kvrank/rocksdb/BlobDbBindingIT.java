package kvrank.rocksdb;

import kvrank.testkit.BindingContract;

final class BlobDbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "rocksdb-blobdb";
  }
}
