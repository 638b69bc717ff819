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
        .startsWith("srun", "--job-name=kvrank", "--exclusive", "--label", "--immediate=3")
        .contains("--nodes=4", "--partition=big", "exec \"$@\" generator $SLURM_PROCID/4")
        .endsWith("sh", "java", "-cp", "a b.jar", "Main");
  }

  @Test
  void whatStartsThemIsAskedBeforeAnythingIsStarted() throws Exception {
    assertThat(LoadLauncher.LOCAL.problem(4)).isEmpty();
    assertThat(LoadLauncher.problem(List.of("true"))).isEmpty();
    assertThat(LoadLauncher.problem(List.of("no-such-srun")))
        .get()
        .asString()
        .startsWith("'no-such-srun' cannot be run here (");
    String said = "printf 'srun: error: no such partition\\nsrun: failure\\n' >&2; exit 1";
    assertThat(LoadLauncher.problem(List.of("sh", "-c", said)))
        .contains("no such partition; failure");
  }

  @Test
  void othersAreNoLaunchers() {
    for (String text : List.of("", "slurm:", "slurm:a b", "locl", "slurm:x;y", "spark")) {
      assertThat(LoadLauncher.of(text)).as(text).isEmpty();
    }
  }
}
