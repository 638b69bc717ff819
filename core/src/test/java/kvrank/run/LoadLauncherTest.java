package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadLauncherTest {

  private static final List<String> WORKER = List.of("java", "-cp", "a b.jar", "Main");

  @Test
  void eachProcessOfThisMachineHasItsPart() {
    assertThat(LoadLauncher.of("local").orElseThrow().commands(2, WORKER))
        .containsExactly(
            List.of("java", "-cp", "a b.jar", "Main", "generator", "0/2"),
            List.of("java", "-cp", "a b.jar", "Main", "generator", "1/2"));
  }

  @Test
  void slurmStartsAllOrNone() {
    List<List<String>> commands = LoadLauncher.of("slurm:big").orElseThrow().commands(4, WORKER);
    assertThat(commands).hasSize(1);
    assertThat(commands.get(0))
        .startsWith("srun", "--label", "--immediate=3", "--nodes=4")
        .contains("--partition=big", "exec \"$@\" generator $SLURM_PROCID/4")
        .endsWith("sh", "java", "-cp", "a b.jar", "Main");
  }

  @Test
  void othersAreNoLaunchers() {
    for (String text : List.of("", "slurm:", "slurm:a b", "locl", "slurm:x;y", "spark")) {
      assertThat(LoadLauncher.of(text)).as(text).isEmpty();
    }
  }
}
