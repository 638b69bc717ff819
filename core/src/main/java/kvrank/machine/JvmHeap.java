package kvrank.machine;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of the memory of a JVM with HotSpot is its heap. A heap may be larger than its resident
 * part, whose pages the JVM touches one after the other.
 */
public final class JvmHeap {

  private static final Pattern RANGE =
      Pattern.compile("Heap address: 0x([0-9a-f]{1,16}), size: (\\d{1,9}) MB");

  private static final Pattern MAPPING =
      Pattern.compile("(?m)^([0-9a-f]+)-([0-9a-f]+) .*\\n(?:.*\\n)*?Rss: +(\\d+) kB$");

  private JvmHeap() {}

  /** Returns the flag that makes a JVM write its heap's address to {@code file} when it starts. */
  public static String flag(Path file) {
    return "-Xlog:gc+heap+coops=debug:file=" + file;
  }

  /** Returns the resident bytes of the heap of {@code pid}; empty if unknown. */
  public static OptionalLong resident(long pid, Path file) {
    Optional<String> smaps = SystemFile.text(Path.of("/proc", Long.toString(pid), "smaps"));
    return smaps.isPresent()
        ? resident(SystemFile.text(file).orElse(""), smaps.get())
        : OptionalLong.empty();
  }

  /** Returns the same for the text of both files; see proc(5) for {@code smaps}. */
  static OptionalLong resident(String log, String smaps) {
    Matcher range = RANGE.matcher(log);
    if (!range.find()) {
      return OptionalLong.empty();
    }
    long begin = Long.parseUnsignedLong(range.group(1), 16);
    long end = begin + (Long.parseLong(range.group(2)) << 20);
    long kibibytes = 0;
    for (Matcher mapping = MAPPING.matcher(smaps); mapping.find(); ) {
      long from = Long.parseUnsignedLong(mapping.group(1), 16);
      if (Long.compareUnsigned(from, begin) >= 0 && Long.compareUnsigned(from, end) < 0) {
        kibibytes += Long.parseLong(mapping.group(3));
      }
    }
    return OptionalLong.of(kibibytes * 1024);
  }
}
