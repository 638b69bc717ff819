package kvrank.chronicle;

import kvrank.testkit.BindingContract;

final class ChronicleMapBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "chronicle-map";
  }
}
