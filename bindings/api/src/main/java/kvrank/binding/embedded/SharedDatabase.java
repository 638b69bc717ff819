package kvrank.binding.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import kvrank.binding.BindingProperties;
import site.ycsb.DBException;

/**
 * An open database, shared by all bindings of this JVM with the same directory, since most engines
 * allow a process to open a database only once.
 *
 * @param <D> the type of the database
 */
final class SharedDatabase<D extends AutoCloseable> {

  private static final Map<Path, SharedDatabase<?>> OPEN = new HashMap<>();

  private final Path directory;
  private final EmbeddedBinding<D> opener;
  private final D database;
  private int users;

  private SharedDatabase(Path directory, EmbeddedBinding<D> opener, D database) {
    this.directory = directory;
    this.opener = opener;
    this.database = database;
  }

  /**
   * Returns the database in the directory of the property {@code dir}, and opens it first if
   * needed.
   */
  @SuppressWarnings("unchecked") // a binding class opens one type of database
  static <D extends AutoCloseable> SharedDatabase<D> acquire(EmbeddedBinding<D> binding)
      throws DBException {
    BindingProperties properties = binding.properties();
    Path directory = Path.of(properties.text("dir")).toAbsolutePath().normalize();
    synchronized (OPEN) {
      SharedDatabase<?> shared = OPEN.get(directory);
      if (shared == null) {
        shared = open(binding, directory);
        OPEN.put(directory, shared);
      }
      if (shared.opener.getClass() != binding.getClass()
          || !shared.opener.properties().equals(properties)) {
        throw new DBException(directory + " is open with other settings");
      }
      shared.users++;
      return (SharedDatabase<D>) shared;
    }
  }

  private static <D extends AutoCloseable> SharedDatabase<D> open(
      EmbeddedBinding<D> binding, Path directory) throws DBException {
    try {
      Files.createDirectories(directory);
      D database = binding.open(directory);
      if (database == null) {
        throw new DBException(binding.getClass().getName() + ": open returned no database");
      }
      try {
        binding.properties().requireKnown();
      } catch (DBException e) {
        try {
          database.close();
        } catch (Exception left) {
          e.addSuppressed(left);
        }
        throw e;
      }
      return new SharedDatabase<>(directory, binding, database);
    } catch (DBException e) {
      throw e;
    } catch (Exception e) {
      throw new DBException(directory + ": " + EmbeddedBinding.message(e), e);
    }
  }

  D database() {
    return database;
  }

  /** Ends one use, and closes the database after the last. */
  void release() throws DBException {
    synchronized (OPEN) {
      if (--users > 0) {
        return;
      }
      OPEN.remove(directory);
      try {
        database.close();
      } catch (Exception e) {
        throw new DBException(directory + ": closing: " + EmbeddedBinding.message(e), e);
      }
    }
  }
}
