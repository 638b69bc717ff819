package kvrank.scenario.read.ycsb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import kvrank.input.YamlValue;

/** The names of YCSB's workload classes, and where others come from. Loads no class. */
public final class YcsbClasses {

  private static final String PACKAGE = "site.ycsb.workloads.";

  static final String CORE = PACKAGE + "CoreWorkload";

  private static final List<String> SHIPPED =
      List.of(
          PACKAGE + "ConstantOccupancyWorkload",
          CORE,
          PACKAGE + "RestWorkload",
          PACKAGE + "TimeSeriesWorkload");

  private YcsbClasses() {}

  /** Returns the name since YCSB 0.17 of a class that used to be under {@code com.yahoo}. */
  public static String current(String name) {
    String renamed = renamed(name);
    return SHIPPED.contains(renamed) ? renamed : name;
  }

  private static String renamed(String name) {
    return name.replaceFirst("^com\\.yahoo\\.ycsb\\.", "site.ycsb.");
  }

  /** Returns whether YCSB's core contains the class. */
  public static boolean shipped(String name) {
    return SHIPPED.contains(name);
  }

  /** Returns whether a class exists; reports a problem if not. */
  public static boolean exists(YamlValue value, List<Path> classpath) {
    String name = value.className().orElse("");
    if (name.isEmpty() || SHIPPED.contains(name)) {
      return !name.isEmpty();
    }
    String entry = name.replace('.', '/') + ".class";
    if (classpath.stream().anyMatch(place -> contains(place, entry))) {
      return true;
    }
    if (renamed(name).startsWith("site.ycsb.")) {
      value.place().known("class of YCSB", renamed(name), SHIPPED);
    } else {
      value.report(
          "class '%s' is neither YCSB's nor in 'classpath'; add its jar or folder there", name);
    }
    return false;
  }

  private static boolean contains(Path place, String entry) {
    if (Files.isDirectory(place)) {
      return Files.isRegularFile(place.resolve(entry));
    }
    try (ZipFile jar = new ZipFile(place.toFile())) {
      return jar.getEntry(entry) != null;
    } catch (IOException e) {
      return false; // not a jar, so it has no class
    }
  }
}
