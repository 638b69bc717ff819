package kvrank.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Principal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds paths that an untrusted user can make lead elsewhere, by the rule of sshd's StrictModes: a
 * trusted user owns each folder on the way, and only trusted users can write to it, or it is sticky
 * and a trusted user owns the next name.
 *
 * @param users trusted users by number
 * @param everyone whether all users can change kvrank itself, which makes every check pointless
 * @param folders those below which nothing is checked
 */
public record TrustedPath(Set<Integer> users, boolean everyone, List<Path> folders) {

  /** The variable that lists folders to trust. */
  static final String VARIABLE = "KVRANK_TRUST_FOLDERS";

  /** Whatever the umask, others cannot write to a folder that kvrank creates. */
  public static final FileAttribute<?> NOT_FOR_ALL =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwxr-x"));

  private static final String ATTRIBUTES = "unix:uid,gid,mode,owner,group,nlink";

  private static final int TYPE = 0170000;
  private static final int LINK = 0120000;
  private static final int FOLDER = 0040000;
  private static final int STICKY = 01000;
  private static final int READABLE_BY_ALL = 0004;
  private static final int WRITABLE_BY_ALL = 0002;

  private static final Pattern ROOT = Pattern.compile("/proc/\\d+/root");

  /** Modules of bindings have fewer. */
  private static final int MOST_FILES = 10_000;

  /** Linux follows as many. */
  private static final int MOST_LINKS = 40;

  /**
   * Throws if an untrusted user can make {@code path}, which need not exist, lead elsewhere.
   *
   * @throws IOException with the folder, its owner or mode, and the next step
   */
  public static void require(Path path) throws IOException {
    refuse(problem(path));
  }

  /**
   * As {@link #require}, for a path that must exist: another user may create a missing name.
   *
   * @throws NoSuchFileException if it does not
   */
  public static void requireExisting(Path path) throws IOException {
    refuse(problem(path, true, false));
  }

  /**
   * Creates a folder and its parents if missing; throws as {@link #require} does. Each is checked
   * before the next is created in it, as another user may have been faster.
   */
  public static void createFolder(Path folder) throws IOException {
    create(folder.toAbsolutePath());
  }

  private static void create(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      create(folder.getParent());
      try {
        Files.createDirectory(folder, NOT_FOR_ALL);
      } catch (FileAlreadyExistsException e) {
        require(folder); // a link to nothing
        if (!Files.isDirectory(folder)) {
          throw e;
        }
      }
    }
    requireExisting(folder);
  }

  /** Throws if all users can write to {@code program}, which this user is about to run. */
  public static void requireProgram(Path program) throws IOException {
    try {
      int mode = (int) Files.getAttribute(program, "unix:mode");
      if ((mode & WRITABLE_BY_ALL) != 0 && !here().everyone) {
        throw new IOException(
            "all users can change '%s' (chmod o-w); install it again".formatted(program));
      }
    } catch (UnsupportedOperationException e) {
      // the system has no such modes
    }
  }

  /**
   * Throws if other users can read or change a file with a secret, as ssh does for keys, or if it
   * has a second hard link.
   */
  static void requirePrivate(Path file) throws IOException {
    try {
      refuse(here().exposed(file));
    } catch (UnsupportedOperationException e) {
      // the system has no such modes
    }
  }

  /** Returns whether all users can read a file, as far as the system has modes. */
  static boolean readableByAll(Path file) throws IOException {
    try {
      return ((int) Files.getAttribute(file, "unix:mode") & READABLE_BY_ALL) != 0;
    } catch (UnsupportedOperationException e) {
      return true;
    }
  }

  /** Returns the message of {@link #requirePrivate}; empty if the file is private. */
  Optional<String> exposed(Path file) throws IOException {
    Map<String, Object> attributes = Files.readAttributes(file, ATTRIBUTES);
    boolean own = users.contains((Integer) attributes.get("uid"));
    boolean open = open(attributes, READABLE_BY_ALL | WRITABLE_BY_ALL);
    Path real = file.toRealPath();
    // Another user may have linked a secret of this one to a name in a sticky folder.
    boolean linked = !attributes.get("nlink").equals(1);
    if (everyone || folders.stream().anyMatch(real::startsWith) || (own && !open && !linked)) {
      return Optional.empty();
    }
    return Optional.of(
        "the file '%s' %s, or trust its folder: %s=%s"
            .formatted(
                file,
                !own
                    ? "belongs to the user %s; give it to yourself"
                        .formatted(((Principal) attributes.get("owner")).getName())
                    : open
                        ? "can be read or changed by other users (mode %o); run chmod 600 on it"
                            .formatted((int) attributes.get("mode") & ~TYPE)
                        : "has a second hard link; copy it",
                VARIABLE,
                real.getParent()));
  }

  private static void refuse(Optional<String> problem) throws IOException {
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
  }

  /** Returns the message of {@link #require}; empty if no untrusted user can change the path. */
  public static Optional<String> problem(Path path) throws IOException {
    return problem(path, false, false);
  }

  /**
   * Returns the message of {@link #require} about code that this user is about to run: a file, or a
   * folder with all that is in it; empty if no untrusted user can change it.
   */
  public static Optional<String> changeable(Path code) {
    try (Stream<Path> below = Files.walk(code, FileVisitOption.FOLLOW_LINKS)) {
      List<Path> files = below.limit(MOST_FILES + 1L).toList();
      if (files.size() > MOST_FILES) {
        return Optional.of("'%s' has over %,d files; name its jars".formatted(code, MOST_FILES));
      }
      Optional<String> problem = Optional.empty();
      for (int i = 0; i < files.size() && problem.isEmpty(); i++) {
        problem = problem(files.get(i), true, true);
      }
      return problem;
    } catch (IOException e) {
      return Optional.of(Reason.located(e));
    } catch (UncheckedIOException e) {
      return Optional.of(Reason.located(e.getCause()));
    }
  }

  private static Optional<String> problem(Path path, boolean exists, boolean code)
      throws IOException {
    try {
      return here().check(path, exists, code);
    } catch (UnsupportedOperationException e) {
      return Optional.empty(); // the system has no such owners
    }
  }

  private static TrustedPath here() throws IOException {
    String home = System.getProperty("kvrank.home", "/");
    return here(Path.of(home), Optional.ofNullable(System.getenv(VARIABLE)));
  }

  /** Trusts the users who can do as they like anyway, as they can change kvrank or all files. */
  static TrustedPath here(Path home, Optional<String> folders) throws IOException {
    Set<Integer> users = new HashSet<>(Set.of(0));
    for (Path own : List.of(Path.of("/proc/self"), Path.of("/"), home.toAbsolutePath())) {
      users.add((Integer) Files.getAttribute(own, "unix:uid"));
    }
    Optional.ofNullable(System.getenv("SUDO_UID"))
        .filter(text -> text.matches("[0-9]{1,9}"))
        .ifPresent(text -> users.add(Integer.valueOf(text)));
    int mode = (int) Files.getAttribute(home.toAbsolutePath(), "unix:mode");
    return new TrustedPath(
        users,
        (mode & WRITABLE_BY_ALL) != 0 && (mode & STICKY) == 0,
        Stream.of(folders.orElse("").split(File.pathSeparator, -1))
            .filter(folder -> !folder.isBlank())
            .map(folder -> Path.of(folder).toAbsolutePath().normalize())
            .toList());
  }

  /** Follows {@code path} name by name, through links, as far as it exists. */
  Optional<String> check(Path path) throws IOException {
    return check(path, false, false);
  }

  private Optional<String> check(Path path, boolean exists, boolean code) throws IOException {
    Path root = path.toAbsolutePath().getRoot();
    Deque<Path> names = new ArrayDeque<>();
    names(path.toAbsolutePath()).forEach(names::add);
    Path next = root;
    boolean shared = false;
    int links = 0;
    while (!everyone) {
      Map<String, Object> attributes;
      try {
        attributes = Files.readAttributes(next, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException e) {
        if (exists) {
          throw e;
        }
        break; // kvrank creates it
      }
      if (type(attributes) == LINK && ROOT.matcher(next.toString()).matches()) {
        // The kernel follows it to the mounts of that process; its text is only "/".
        attributes = Files.readAttributes(next, ATTRIBUTES);
      }
      boolean exempt = folders.stream().anyMatch(next::startsWith);
      String reason = exempt ? "" : reason(attributes, shared, code && names.isEmpty());
      if (!reason.isEmpty()) {
        return Optional.of(
            "another user can replace '%s', as '%s' %s; use another folder, or trust it: %s=%2$s"
                .formatted(path, next, reason, VARIABLE));
      }
      Path folder = next;
      if (type(attributes) == LINK) {
        if (++links > MOST_LINKS) {
          throw new FileSystemException(path.toString(), null, "has too many links");
        }
        Path target = Files.readSymbolicLink(next);
        List<Path> rest = List.copyOf(names);
        names.clear();
        names(target).forEach(names::add);
        names.addAll(rest);
        folder = next.getParent();
        if (target.isAbsolute()) {
          next = root;
          continue;
        }
      } else {
        shared = type(attributes) == FOLDER && writable(attributes) && !exempt;
      }
      if (names.isEmpty() || !(type(attributes) == LINK || type(attributes) == FOLDER)) {
        break;
      }
      next = folder.resolve(names.removeFirst());
      if (next.endsWith("..")) {
        next = folder.getParent() == null ? folder : folder.getParent();
      }
    }
    return Optional.empty();
  }

  /** Returns the names of a path. Behind a {@code .}, a {@code ..} would lead to another folder. */
  private static List<Path> names(Path path) {
    List<Path> names = new ArrayList<>();
    path.forEach(names::add);
    names.removeIf(name -> name.toString().equals("."));
    return names;
  }

  /**
   * Returns the reason not to trust an entry.
   *
   * @param shared whether others can replace it
   * @param code whether its content matters: that of a file, or further files of a sticky folder
   */
  private String reason(Map<String, Object> attributes, boolean shared, boolean code)
      throws IOException {
    boolean content = type(attributes) == FOLDER || (code && type(attributes) != LINK);
    int mode = (int) attributes.get("mode");
    if ((content || shared) && !users.contains((Integer) attributes.get("uid"))) {
      return "belongs to the user " + ((Principal) attributes.get("owner")).getName();
    } else if (!content || (!code && (mode & STICKY) != 0) || !writable(attributes)) {
      return "";
    }
    return (mode & WRITABLE_BY_ALL) != 0
        ? "is writable for all users (chmod o-w)"
        : "is writable for the group %s (chmod g-w)"
            .formatted(((Principal) attributes.get("group")).getName());
  }

  private static int type(Map<String, Object> attributes) {
    return (int) attributes.get("mode") & TYPE;
  }

  private static boolean writable(Map<String, Object> attributes) throws IOException {
    return open(attributes, WRITABLE_BY_ALL);
  }

  /** Returns whether users besides the owner, this one and root have permissions {@code ofAll}. */
  private static boolean open(Map<String, Object> attributes, int ofAll) throws IOException {
    int mode = (int) attributes.get("mode");
    return (mode & ofAll) != 0
        || ((mode & (ofAll << 3)) != 0
            && !attributes.get("gid").equals(0)
            && !isPrivate(
                attributes.get("gid").toString(),
                ((Principal) attributes.get("group")).getName(),
                ((Principal) attributes.get("owner")).getName()));
  }

  /**
   * Returns whether a group is named after {@code owner} or this user, and has no other members.
   */
  private static boolean isPrivate(String gid, String group, String owner) throws IOException {
    return List.of(owner, System.getProperty("user.name")).contains(group)
        && entries("/etc/group")
            .noneMatch(e -> e[2].equals(gid) && !e[3].isEmpty() && !e[3].equals(group))
        && entries("/etc/passwd").noneMatch(e -> e[3].equals(gid) && !e[0].equals(group));
  }

  private static Stream<String[]> entries(String name) throws IOException {
    Path file = Path.of(name);
    List<String> lines = Files.exists(file) ? Files.readAllLines(file, ISO_8859_1) : List.of();
    return lines.stream().map(line -> line.split(":", -1)).filter(fields -> fields.length > 3);
  }
}
