package kvrank.input;

/** Tells which characters of a stranger's text are shown as they are. */
public final class Printable {

  private Printable() {}

  /**
   * Returns whether a reader sees the character where it stands: false for control characters other
   * than a tab and a line feed, for invisible ones, and for those that move other text.
   */
  public static boolean is(int point) {
    if (point >= 0x20 && point < 0x7F) {
      return true;
    }
    return switch (Character.getType(point)) {
      case Character.CONTROL -> point == '\n' || point == '\t';
      // Joiners are parts of emoji and of words in some scripts.
      case Character.FORMAT -> point == 0x200C || point == 0x200D;
      case Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      default -> !blank(point) && (point & 0xFFFE) != 0xFFFE;
    };
  }

  /** Returns whether a letter or mark has no shape, by Unicode's Default_Ignorable_Code_Point. */
  private static boolean blank(int point) {
    return point == 0x034F
        || point == 0x115F
        || point == 0x1160
        || point == 0x17B4
        || point == 0x17B5
        || (point >= 0x180B && point <= 0x180F)
        || point == 0x3164
        || point == 0xFFA0
        || (point >= 0xE0100 && point <= 0xE01EF);
  }
}
