package kvrank.go;

import kvrank.testkit.BindingContract;

final class PebbleBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "pebble";
  }
}
