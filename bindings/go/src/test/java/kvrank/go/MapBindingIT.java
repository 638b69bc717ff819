package kvrank.go;

import kvrank.testkit.BindingContract;

final class MapBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "map";
  }
}
