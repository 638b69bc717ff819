package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

  @TempDir private Path folder;

  @Test
  void keysOnAServerOfOthersAreToldAndLeft() throws Exception {
    String keys = "'kvrank:ab12:…' of redis.r1 on 127.0.0.1:6379";
    Path journal = folder.resolve("kvrank-owns-1-1.00000000-x");
    Files.writeString(journal, "+keys gone\n+keys %s\n-keys gone\n".formatted(keys));

    assertThat(Leftovers.remove(folder))
        .containsExactly("not removed, as others may use that server: keys " + keys);
    assertThat(Leftovers.remove(folder)).as("told once").isEmpty();
  }
}
