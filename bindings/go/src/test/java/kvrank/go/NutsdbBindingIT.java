package kvrank.go;

import kvrank.testkit.BindingContract;

final class NutsdbBindingIT extends BindingContract {

  @Override
  protected String engine() {
    return "nutsdb";
  }
}
