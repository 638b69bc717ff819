package kvrank.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The control groups that this process is in: cgroups(7), of version 2 or 1. */
final class ControlGroups {

  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  private ControlGroups() {}

  /** Returns whether this is version 2, in which one group has all controllers. */
  static boolean unified() {
    return Files.exists(ROOT.resolve("cgroup.controllers"));
  }

  /**
   * Returns the group of this process and the enclosing ones, innermost first; only the root if a
   * container hides the others.
   */
  static List<Path> around(String controller) {
    Path root = root(controller);
    Path own = of(Path.of("/proc/self"), controller);
    return Stream.iterate(own, group -> group.startsWith(root), Path::getParent).toList();
  }

  private static Path root(String controller) {
    return unified() ? ROOT : ROOT.resolve(controller);
  }

  /** Returns the group of a process with this folder in {@code /proc}. */
  private static Path of(Path process, String controller) {
    Path root = root(controller);
    String line = (unified() ? "0:" : "\\d+:" + controller) + ":/(.*)";
    return SystemFile.text(process.resolve("cgroup"))
        .flatMap(groups -> SystemFile.find(groups, line))
        .map(group -> root.resolve(group).normalize())
        .filter(group -> group.startsWith(root) && Files.isDirectory(group))
        .orElse(root);
  }

  /** Returns whether the group of a process, or one around it, is frozen. */
  static boolean frozen(Path process) {
    Path group = of(process, "freezer");
    return SystemFile.text(group.resolve("freezer.state")).filter("FROZEN"::equals).isPresent()
        || SystemFile.text(group.resolve("cgroup.events"))
            .filter(events -> SystemFile.number(events, "frozen").orElse(0) == 1)
            .isPresent();
  }
}
