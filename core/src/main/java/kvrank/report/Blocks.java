package kvrank.report;

import java.util.ArrayList;
import java.util.List;

/** Blocks below each other, as they are added. What has nothing to say is left out. */
final class Blocks {

  private final List<Block> list = new ArrayList<>();

  List<Block> list() {
    return list;
  }

  Blocks add(Block block) {
    list.add(block);
    return this;
  }

  Blocks addAll(List<? extends Block> blocks) {
    list.addAll(blocks);
    return this;
  }

  Blocks heading(int level, String text) {
    return add(new Block.Heading(level, text));
  }

  /** A paragraph; none of no words. */
  Blocks text(String text) {
    return text.isEmpty() ? this : add(new Block.Text(Block.Role.OTHER, text));
  }

  /** A list; none without items. */
  Blocks items(List<String> items) {
    return items.isEmpty() ? this : add(new Block.Items(items, false));
  }

  /** A warning; none without details. */
  Blocks warning(String text, List<String> details) {
    return details.isEmpty() ? this : add(new Block.Warning(text, details));
  }

  /** What is opened on demand; nothing if that is nothing. */
  Blocks folded(String title, List<? extends Block> blocks) {
    return blocks.isEmpty() ? this : add(new Block.Folded(title, List.copyOf(blocks)));
  }
}
