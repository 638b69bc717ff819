package kvrank.go;

import java.nio.file.Files;
import java.nio.file.Path;
import site.ycsb.DBException;

/**
 * The functions that a library exports, by the names that the JVM looks for; {@code exports.go}
 * says what each does. Memory is given by its address and its length in bytes.
 *
 * <p>Each returns a length, which may be more than there was room for in {@code out}, or one of the
 * constants; the reason of a failure is in {@code out} then, its own length in front.
 */
final class GoLibrary {

  /** There is no such record. */
  static final int NOT_FOUND = -1;

  /** The reason is in {@code out}. */
  static final int FAILED = -2;

  /** The engine has no such call. */
  static final int UNSUPPORTED = -3;

  /** A property is wrong; the reason is in {@code out}. */
  static final int REFUSED = -4;

  /** What is deleted has this as the length of its value. */
  static final int DELETED = -1;

  /** Precedes, with the seconds to live, the length of a value that expires. */
  static final int EXPIRING = -2;

  /** The length of a missing upper bound. */
  static final int UNBOUNDED = -1;

  /** The name of a total of {@link #sample} begins with it. */
  static final String TOTAL = "+";

  private static Path loaded;

  private GoLibrary() {}

  /** Loads the library {@code file}. */
  static synchronized void load(Path file) throws DBException {
    if (loaded != null && !loaded.equals(file)) {
      throw new DBException("%s: this JVM has %s already".formatted(file, loaded));
    }
    if (!Files.isRegularFile(file)) {
      throw new DBException("library '%s' does not exist".formatted(file));
    }
    try {
      System.load(file.toString());
      loaded = file;
    } catch (UnsatisfiedLinkError e) {
      throw new DBException(
          "%s cannot be loaded on this platform: %s".formatted(file, e.getMessage()), e);
    }
  }

  static native int open(long properties, int length, long out, int capacity);

  static native int close(int database, long out, int capacity);

  static native int get(int database, long key, int keyLength, long out, int capacity);

  static native int put(
      int database, long key, int keyLength, long value, int valueLength, long out, int capacity);

  static native int delete(int database, long key, int keyLength, long out, int capacity);

  static native int write(int database, long batch, int length, long out, int capacity);

  static native int readAll(int database, long keys, int length, long out, int capacity);

  static native int scan(
      int database,
      long from,
      int fromLength,
      long to,
      int toLength,
      int limit,
      long out,
      int capacity);

  static native int facts(int database, long out, int capacity);

  static native int reports(int database, long out, int capacity);

  static native int sample(int database, long out, int capacity);
}
