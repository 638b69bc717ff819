package kvrank.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** A module built by Maven: its jar, or else its folder of classes, and the jars that it needs. */
public record BuiltModule(List<Path> own, List<Path> libraries) {

  private static final String CLASS = ".class";

  public static BuiltModule of(Path module) throws IOException {
    Path target = target(module);
    List<Path> own = jars(target, "kvrank-.*\\.jar");
    if (own.isEmpty() && Files.isDirectory(target.resolve("classes"))) {
      own = List.of(target.resolve("classes"));
    }
    return new BuiltModule(own, jars(target.resolve("lib"), ".*\\.jar"));
  }

  /** Returns the folder that Maven builds in, links resolved: a CDS archive has its jars' paths. */
  public static Path target(Path module) {
    Path target = module.resolve("target");
    try {
      return target.toRealPath();
    } catch (IOException e) {
      return target;
    }
  }

  private static List<Path> jars(Path folder, String name) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(name)).sorted().toList();
    }
  }

  public boolean isBuilt() {
    return !own.isEmpty();
  }

  /** Returns whether the build is complete: Maven makes the jar last. */
  boolean isPackaged() {
    return isBuilt() && Files.isRegularFile(own.get(0));
  }

  public List<Path> classpath() {
    List<Path> classpath = new ArrayList<>(own);
    classpath.addAll(libraries);
    return classpath;
  }

  /** Returns the names of the top-level classes in the module's own jars. */
  Set<String> classes() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path entry : own) {
      try (JarFile jar = new JarFile(entry.toFile())) {
        jar.stream()
            .map(ZipEntry::getName)
            .filter(name -> name.endsWith(CLASS) && !name.contains("$") && !name.contains("-"))
            .map(name -> name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
            .forEach(names::add);
      }
    }
    return names;
  }

  /** Returns whether one of {@code entries}, which are jars and folders, has the class. */
  static boolean has(List<Path> entries, String name) throws IOException {
    String file = name.replace('.', '/') + CLASS;
    for (Path entry : entries) {
      if (Files.exists(entry.resolve(file))) {
        return true;
      }
      if (Files.isRegularFile(entry)) {
        try (JarFile jar = new JarFile(entry.toFile())) {
          if (jar.getEntry(file) != null) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
