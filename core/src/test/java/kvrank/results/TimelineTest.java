package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {

  private static final String HEADING =
      "phase,second,elapsed_ms,warmup,operation,ok,not_found,errors\n";

  @TempDir private Path folder;

  /** As a worker wrote it. */
  @Test
  void addsOperationsUpAndKnowsTheWarmup() throws Exception {
    Timeline timeline =
        read(
            """
            load,0,140,false,insert,50000,0,0
            zipfian,0,1000,true,read,45254,0,0
            zipfian,0,1000,true,update,2329,0,0
            zipfian,0,1000,false,read,18,0,0
            zipfian,0,1000,false,update,2,0,0
            zipfian,1,2000,true,read,1,0,0
            zipfian,1,2000,false,read,54189,0,0
            zipfian,1,2000,false,update,2901,0,0
            zipfian,2,3001,false,read,2,0,0
            zipfian,3,3002,false,update,1,0,0
            """);

    assertThat(timeline.warmupMillis("load")).isZero();
    assertThat(timeline.warmupMillis("zipfian")).isEqualTo(1000);
    assertThat(timeline.rates("load"))
        .containsExactly(new Timeline.Rate(0, 140, 50_000 * 1e3 / 140));
    assertThat(timeline.rates("zipfian"))
        .hasSize(3)
        .startsWith(new Timeline.Rate(-1000, 0, 47_603), new Timeline.Rate(0, 1000, 57_091));
    assertThat(timeline.rates("zipfian").get(2).toMillis()).isEqualTo(2002);
    assertThat(timeline.rates("none")).isEmpty();
  }

  @Test
  void transactionsCountWithoutTheirRequestsAndBesideOtherGroups() throws Exception {
    Timeline timeline =
        read(
            """
            cart,0,1000,false,read,300,0,0
            cart,0,1000,false,transaction,100,0,0
            both,0,1000,false,carts:read,300,0,0
            both,0,1000,false,carts:transaction,100,0,0
            both,0,1000,false,others:read,7,0,0
            """);

    assertThat(timeline.rates("cart")).containsExactly(new Timeline.Rate(0, 1000, 100));
    assertThat(timeline.rates("both")).containsExactly(new Timeline.Rate(0, 1000, 107));
  }

  @Test
  void anOperationThatOutlastsTheWarmupDoesNotLengthenIt() throws Exception {
    Timeline timeline =
        read(
            """
            scan,0,1000,true,prefix-scan,9,0,0
            scan,1,2000,true,prefix-scan,2,0,0
            scan,1,2000,false,prefix-scan,11,0,0
            """);

    assertThat(timeline.warmupMillis("scan")).isEqualTo(1000);
  }

  /** A short rest of the warm-up is not added to counted time. */
  @Test
  void noIntervalSpansTheEndOfTheWarmup() throws Exception {
    Timeline timeline =
        read(
            """
            get,0,1000,true,read,1000,0,0
            get,1,1200,true,read,200,0,0
            get,1,2000,false,read,1600,0,0
            get,2,3000,false,read,2000,0,0
            """);

    assertThat(timeline.rates("get"))
        .containsExactly(
            new Timeline.Rate(-1200, 0, 1000),
            new Timeline.Rate(0, 800, 2000),
            new Timeline.Rate(800, 1800, 2000));
  }

  @Test
  void percentilesCountFromTheEndOfTheWarmup() throws Exception {
    Path file = folder.resolve("timeline.csv");
    String lines =
        """
        get,0,1000,true,read,5000,0,0,90111
        get,1,2000,false,read,5000,0,0,
        get,2,3000,false,read,5000,0,0,80895
        """;
    Files.writeString(file, HEADING.strip() + ",p99_nanos\n" + lines, StandardCharsets.UTF_8);

    assertThat(Timeline.read(file).tails("get"))
        .containsExactly(
            new Timeline.Tail(0, "read", 90_111), new Timeline.Tail(2000, "read", 80_895));
    assertThat(Timeline.HEADING + "\n" + Timeline.read(file).text())
        .isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }

  @Test
  void missingFileIsEmpty() throws Exception {
    assertThat(Timeline.read(folder.resolve("none.csv")).intervals()).isEmpty();
  }

  @Test
  void brokenFileIsNamedWithItsLine() {
    assertThatThrownBy(() -> read("load,0,140,false,insert,50000,0,0\nload,0,14"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("timeline.csv:3: broken or truncated");
    assertThatThrownBy(() -> read("load,0,14x,false,insert,50000,0,0"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("timeline.csv:2: broken or truncated");
  }

  private Timeline read(String lines) throws IOException, UnreadableException {
    Path file = folder.resolve("timeline.csv");
    Files.writeString(file, HEADING + lines, StandardCharsets.UTF_8);
    return Timeline.read(file);
  }
}
