package kvrank.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadLauncherTest {

  private static final List<String> WORKER = List.of("java", "-cp", "a b.jar", "Main");

  private static final Path HOME = Path.of("/kvrank");

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

  /** A shell on the host reads the words again. */
  @Test
  void eachHostAndPodHasAConnectionOfItsOwn() {
    List<List<String>> hosts =
        LoadLauncher.of("ssh:me@n1,::1").orElseThrow().commands(2, List.of("java", "it's $HOME"));
    assertThat(hosts).hasSize(2);
    assertThat(hosts.get(1))
        .startsWith("ssh", "-T", "-o", "BatchMode=yes")
        .endsWith("::1", "exec", "'java'", "'it'\\''s $HOME'", "'generator'", "'1/2'");
    assertThat(LoadLauncher.of("kubectl:p-0,p-1").orElseThrow().commands(1, WORKER))
        .containsExactly(
            List.of(
                "kubectl",
                "exec",
                "-i",
                "p-0",
                "--",
                "java",
                "-cp",
                "a b.jar",
                "Main",
                "generator",
                "0/1"));
  }

  @Test
  void noMoreMachinesThanAreNamed() throws Exception {
    assertThat(LoadLauncher.of("ssh:n1,n2").orElseThrow().problem(3, HOME))
        .contains("it names '2' of the '3' machines that the load needs");
    assertThat(LoadLauncher.of("ssh:n1,n1,n2").orElseThrow().problem(2, HOME))
        .contains("it names one of them twice");
  }

  @Test
  void launchersAreCheckedBeforeTheStart() throws Exception {
    assertThat(LoadLauncher.LOCAL.problem(4, HOME)).isEmpty();
    assertThat(LoadLauncher.problem(List.of("true"))).isEmpty();
    assertThat(LoadLauncher.problem(List.of("no-such-srun")))
        .get()
        .asString()
        .startsWith("'no-such-srun' cannot be run here (");
    String said = "printf 'srun: error: no such partition\\nsrun: failure\\n' >&2; exit 1";
    assertThat(LoadLauncher.problem(List.of("sh", "-c", said)))
        .contains("no such partition; failure");
    String chatty = "head -c 300000 /dev/zero | tr '\\0' x; exit 1";
    assertThat(LoadLauncher.problem(List.of("sh", "-c", chatty)))
        .hasValueSatisfying(why -> assertThat(why).startsWith("xxx"));
    String logged = "printf 'E1123 04:04:35 1 cache.go:265] no API\\nrefused\\r\\n' >&2; exit 1";
    assertThat(LoadLauncher.problem(List.of("sh", "-c", logged))).contains("refused");
  }

  @Test
  void otherTextsAreNotLaunchers() {
    for (String text :
        List.of(
            "",
            "slurm:",
            "slurm:a b",
            "locl",
            "local:n1",
            "slurm:x;y",
            "spark",
            "ssh",
            "ssh:",
            "ssh:n1,",
            "ssh:-oProxyCommand=x",
            "ssh:n1,-v",
            "ssh:a b",
            "kubectl")) {
      assertThat(LoadLauncher.of(text)).as(text).isEmpty();
    }
  }
}
