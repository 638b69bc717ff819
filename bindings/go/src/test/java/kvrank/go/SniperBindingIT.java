package kvrank.go;

import kvrank.testkit.BindingContract;

final class SniperBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "sniper";
  }
}
