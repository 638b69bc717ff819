package kvrank.report.block;

import java.util.ArrayList;
import java.util.List;

/** A list of blocks under construction; empty ones are left out. */
public final class Blocks {

  private final List<Block> list = new ArrayList<>();

  public List<Block> list() {
    return list;
  }

  public Blocks add(Block block) {
    list.add(block);
    return this;
  }

  public Blocks addAll(List<? extends Block> blocks) {
    list.addAll(blocks);
    return this;
  }

  public Blocks heading(int level, String text) {
    return add(new Block.Heading(level, text));
  }

  /** Adds a paragraph unless the text is empty. */
  public Blocks text(String text) {
    return text.isEmpty() ? this : add(new Block.Text(Block.Role.OTHER, text));
  }

  public Blocks items(List<String> items) {
    return items.isEmpty() ? this : add(new Block.Items(items, false));
  }

  /** Adds a warning unless it has no details. */
  public Blocks warning(String text, List<String> details) {
    return details.isEmpty() ? this : add(new Block.Warning(text, details));
  }

  public Blocks folded(String title, List<? extends Block> blocks) {
    return blocks.isEmpty() ? this : add(new Block.Folded(title, List.copyOf(blocks)));
  }
}
