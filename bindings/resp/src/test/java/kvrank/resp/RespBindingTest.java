package kvrank.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import kvrank.binding.EngineCounters;
import org.junit.jupiter.api.Test;

final class RespBindingTest {

  @Test
  void figuresAreLinesOfInfo() {
    List<String> figures = new ArrayList<>();
    RespBinding.add(
        new EngineCounters.Figures() {
          @Override
          public void gauge(String name, double value) {
            figures.add(name + " is " + value);
          }

          @Override
          public void total(String name, double value) {
            figures.add(name + " so far " + value);
          }
        },
        String.join(
            "\r\n",
            "# Memory",
            "used_memory:873040",
            "used_memory_human:852.58K",
            "",
            "# Stats",
            "evicted_keys:12",
            "aof_delayed_fsync:3",
            "# RocksDB",
            "num_running_flushes:1",
            ""));
    assertThat(figures)
        .containsExactly(
            "used_memory_bytes is 873040.0",
            "evicted_keys so far 12.0",
            "aof_delayed_fsync so far 3.0",
            "running_flushes is 1.0");
  }
}
