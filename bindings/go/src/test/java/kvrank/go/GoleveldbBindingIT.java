package kvrank.go;

final class GoleveldbBindingIT extends CountingBindingContract {

  @Override
  protected String engine() {
    return "goleveldb";
  }
}
