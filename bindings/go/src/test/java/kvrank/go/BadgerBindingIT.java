package kvrank.go;

import kvrank.testkit.BindingContract;

final class BadgerBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "badger";
  }
}
