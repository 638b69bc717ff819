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
    Path root = unified() ? ROOT : ROOT.resolve(controller);
    String line = (unified() ? "0:" : "\\d+:" + controller) + ":/(.*)";
    Path own =
        SystemFile.text(Path.of("/proc/self/cgroup"))
            .flatMap(groups -> SystemFile.find(groups, line))
            .map(group -> root.resolve(group).normalize())
            .filter(group -> group.startsWith(root) && Files.isDirectory(group))
            .orElse(root);
    return Stream.iterate(own, group -> group.startsWith(root), Path::getParent).toList();
  }
}
