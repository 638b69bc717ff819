package kvrank.report.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvrank.report.block.Block;
import org.junit.jupiter.api.Test;

/** What a name, a question or a server's message holds means itself. */
class MarkdownTest {

  @Test
  void aTextMakesNoLinks() {
    assertThat(text("[click](http://x.y) <http://x.y> ![i](x) www.x.y HTTPS://x"))
        .isEqualTo("[click\\](http\\://x.y) \\<http\\://x.y> ![i\\](x) www\\.x.y HTTPS\\://x\n");
    assertThat(text("ignix [1], [a][b], [1]: x")).isEqualTo("ignix [1], [a\\][b], [1\\]: x\n");
  }

  @Test
  void aTextMentionsNoOne() {
    assertThat(text("@all fixes #1 and a/b#2, GH-3; redis@sha256:0 costs # 4"))
        .isEqualTo(
            "@<!-- -->all fixes #<!-- -->1 and a/b#<!-- -->2, GH<!-- -->-3;"
                + " redis@sha256:0 costs # 4\n");
  }

  @Test
  void aTextHasNoEntitiesAddressesOrOtherMarkup() {
    assertThat(text("~~struck~~ &lrm;&shy; $x^2$ mailto:joe@evil.example"))
        .isEqualTo(
            "\\~\\~struck\\~\\~ &amp;lrm;&amp;shy; \\$x^2\\$ mailto:joe@<!-- -->evil.example\n");
  }

  @Test
  void aSummaryIsHtml() {
    assertThat(Markdown.of(List.of(new Block.Folded("set_get <1 & @all #1", List.of()))))
        .contains("<summary>set_get &lt;1 &amp; @<!-- -->all #<!-- -->1</summary>");
  }

  @Test
  void aListingDoesNotEndItself() {
    assertThat(Markdown.of(List.of(new Block.Listing("a\n```\n# b"))))
        .isEqualTo("````\na\n```\n# b\n````\n");
  }

  private static String text(String text) {
    return Markdown.of(List.of(new Block.Text(Block.Role.OTHER, text)));
  }
}
