package kvrank.go;

final class PebbleBindingIT extends CountingBindingContract {

  @Override
  protected String engine() {
    return "pebble";
  }
}
