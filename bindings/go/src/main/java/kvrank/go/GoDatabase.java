package kvrank.go;

/**
 * An open database of the library.
 *
 * @param handle what the library knows it by
 */
record GoDatabase(int handle) implements AutoCloseable {

  @Override
  public void close() throws GoException {
    new Results().of((out, capacity) -> GoLibrary.close(handle, out, capacity));
  }
}
