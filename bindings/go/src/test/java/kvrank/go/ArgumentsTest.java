package kvrank.go;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import kvrank.binding.ByteSource;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  @Test
  void moreThanOneCallTakesIsRefused() {
    Arguments arguments = new Arguments().add(new byte[1]);
    assertThatThrownBy(() -> arguments.add(new Longest()))
        .hasMessage("one call takes at most 2147483647 bytes");
  }

  private static final class Longest implements ByteSource {

    @Override
    public int size() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      throw new AssertionError("copied");
    }

    @Override
    public void copyTo(ByteBuffer target) {
      throw new AssertionError("copied");
    }
  }
}
