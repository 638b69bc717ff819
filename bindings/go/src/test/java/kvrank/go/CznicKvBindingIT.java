package kvrank.go;

import kvrank.testkit.BindingContract;

final class CznicKvBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "cznic-kv";
  }

  @Override
  public int longestValue() {
    return 65_787;
  }
}
