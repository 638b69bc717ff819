package kvrank.site.advice;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.regex.Pattern;
import kvrank.report.chart.Svg;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import org.apache.commons.codec.digest.DigestUtils;

/** The addresses of pages, relative to the first page. */
public final class Links {

  /** The meanings of labels. */
  public static final String LABELS = "method.html#labels";

  /** The page about the requirements that scenarios state. */
  public static final String REQUIREMENTS = "requirements.html";

  private static final int MOST = 100;
  private static final int DIGEST_DIGITS = 32;
  private static final Pattern DIGEST = Pattern.compile("-[0-9a-f]{32}$");

  private Links() {}

  public static String engine(String name) {
    return "engine/" + file(name) + ".html";
  }

  /**
   * Returns a name as a file name that no other name has, on any file system: with a digest if it
   * is not one already, is long, or looks as if it had a digest.
   */
  public static String file(String name) {
    String file = Svg.fileName(List.of(name));
    boolean plain =
        file.equals(name)
            && !file.isEmpty()
            && file.length() <= MOST
            && !DIGEST.matcher(file).find();
    return plain ? file : file.substring(0, Math.min(file.length(), MOST)) + "-" + digest(name);
  }

  private static String digest(String name) {
    // Of the characters, as UTF-8 has the same bytes for all halves of a pair.
    ByteBuffer characters = ByteBuffer.allocate(Character.BYTES * name.length());
    characters.asCharBuffer().put(name);
    return DigestUtils.sha256Hex(characters.array()).substring(0, DIGEST_DIGITS);
  }

  public static String use(UseCase use) {
    return "use/" + use.file() + ".html";
  }

  /** Returns the address of a level of durability on the page of a use. */
  public static String use(UseCase use, String level) {
    return use(use) + "#" + level(level);
  }

  /** Returns the address of the comparisons at a level. */
  public static String comparisons(UseCase use, String level) {
    return use(use) + "#" + comparisons(level);
  }

  public static String level(String level) {
    return "at-" + file(level);
  }

  public static String comparisons(String level) {
    return "comparisons-" + file(level);
  }

  public static String machine(Machine machine) {
    return "machine/" + machine.file() + ".html";
  }

  public static String runs(Study study) {
    return "runs/" + study.file() + ".html";
  }

  /** Returns the name of the rows of an engine in a phase, on the page of runs. */
  public static String runs(RankingIndex index, Group phaseGroup, String engine) {
    return "p%d-%d".formatted(index.number(phaseGroup), index.engines().indexOf(engine));
  }

  /** Returns the name of the rows of its crashes at the factor point of a group. */
  public static String crashes(RankingIndex index, Group group, String engine) {
    return "c%d-%d".formatted(index.pointNumber(group), index.engines().indexOf(engine));
  }
}
