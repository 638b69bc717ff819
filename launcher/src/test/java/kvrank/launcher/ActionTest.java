package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import kvrank.launcher.ActionFile.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** What can be checked about {@code action.yml} without a runner; {@link ActionIT} runs it. */
class ActionTest {

  private static final Pattern INPUT = Pattern.compile("inputs\\.(\\w+)");

  @TempDir private Path folder;

  @Test
  void scriptsAreBashAndHaveNoExpression() throws Exception {
    for (Step step : ActionFile.read().steps()) {
      if (step.uses().isEmpty()) {
        assertThat(step.shell()).as(step.name()).isEqualTo("bash");
        // An expression is replaced before the shell reads it, so its value could be commands.
        assertThat(step.run()).as(step.name()).doesNotContain("${{");
        Process bash = new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
        bash.getOutputStream().write(step.run().getBytes(StandardCharsets.UTF_8));
        bash.getOutputStream().close();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as("%s: %s", step.name(), said).isZero();
      }
    }
  }

  /** Runs a step with {@code program}, which prints its arguments, and returns these. */
  private String run(String step, String program, Map<String, String> variables) throws Exception {
    Path calls = Files.writeString(folder.resolve("calls"), "");
    String printing = "#!/bin/bash\nprintf '<%s>' \"$@\" >>calls; echo $URL\n";
    Files.writeString(folder.resolve(program), printing);
    assertThat(folder.resolve(program).toFile().setExecutable(true)).isTrue();
    String script =
        ActionFile.read().steps().stream()
            .filter(each -> each.name().equals(step))
            .map(Step::run)
            .findFirst()
            .orElseThrow();
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-eo", "pipefail", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().putAll(variables);
    builder.environment().put("GITHUB_ACTION_PATH", folder.toString());
    builder.environment().put("GITHUB_OUTPUT", folder.resolve("output").toString());
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    int status = builder.start().waitFor();
    assertThat(status).as(Files.readString(folder.resolve("log"))).isZero();
    return Files.readString(calls);
  }

  @Test
  void argumentsMayHaveSeveralLines() throws Exception {
    Map<String, String> variables =
        Map.of(
            "SCENARIO", "bench/mine.yaml",
            "FOLDER", "mine",
            "BASE", "",
            "HEAD", "",
            "LABEL", "0123456789abc",
            "ARGUMENTS", "--no-wait\n--set repetitions=5\n");
    assertThat(run("Measure", "kvrank", variables))
        .contains("<0123456789>", "<--no-wait><--set><repetitions=5>");
  }

  @Test
  void artifactsAreNamedByScenarioAndArguments() throws Exception {
    List<String> keys = new ArrayList<>();
    for (String arguments : List.of("", "--records 9")) {
      Files.deleteIfExists(folder.resolve("output"));
      run(
          "Name the history and the report",
          "unused",
          Map.of("SCENARIO", "bench/mine.yaml", "ARGUMENTS", arguments));
      keys.add(Files.readString(folder.resolve("output")));
    }
    assertThat(keys).allMatch(key -> key.matches("folder=mine\nkey=kvrank-mine-[0-9a-f]{8}\n"));
    assertThat(keys).doesNotHaveDuplicates();
  }

  @Test
  void laterPushesEditTheCommentOfTheAction() throws Exception {
    Files.writeString(folder.resolve("kvrank-summary.md"), "no change\n");
    Map<String, String> variables =
        new TreeMap<>(Map.of("NUMBER", "7", "GH_REPO", "a/b", "MARKER", "<!-- kvrank -->"));
    variables.put("URL", "");
    assertThat(run("Comment", "gh", variables)).contains("<pr><comment><7>");
    assertThat(folder.resolve("kvrank-comment.md")).hasContent("<!-- kvrank -->\nno change\n");
    variables.put("URL", "https://github.com/a/b/pull/7#issuecomment-3");
    assertThat(run("Comment", "gh", variables)).contains("<repos/a/b/issues/comments/3>");
  }

  @Test
  void commentsAreCutAtTheEndOfALine() throws Exception {
    Files.writeString(folder.resolve("kvrank-summary.md"), "| µs |\n".repeat(20_000));
    run("Comment", "gh", Map.of("NUMBER", "7", "GH_REPO", "a/b", "MARKER", "m", "URL", ""));
    assertThat(Files.readString(folder.resolve("kvrank-comment.md")))
        .isEqualTo("m\n" + "| µs |\n".repeat(60_000 / 8));
  }

  @Test
  void pullRequestsFromForksGetNoComment() throws Exception {
    assertThat(ActionFile.read().steps())
        .filteredOn(step -> step.name().equals("Comment"))
        .extracting(Step::condition)
        .singleElement()
        .asString()
        .contains("github.event.pull_request.head.repo.full_name == github.repository");
  }

  @Test
  void otherActionsArePinned() throws Exception {
    for (Step step : ActionFile.read().steps()) {
      if (!step.uses().isEmpty()) {
        assertThat(step.uses()).matches("actions/[a-z-]+(/[a-z]+)?@[0-9a-f]{40}");
      }
    }
  }

  @Test
  void theWorkflowOfTheDocsGivesDeclaredInputs() throws Exception {
    String page = Files.readString(Path.of(System.getProperty("kvrank.home"), "docs/how-to/ci.md"));
    Map<Object, Object> workflow = new Yaml().load(page.split("```yml\n", 2)[1].split("```", 2)[0]);
    List<String> given = new ArrayList<>();
    for (Object job : ((Map<?, ?>) workflow.get("jobs")).values()) {
      for (Object step : (List<?>) ((Map<?, ?>) job).get("steps")) {
        Map<?, ?> each = (Map<?, ?>) step;
        if ("OWNER/kvrank@COMMIT".equals(each.get("uses"))) {
          ((Map<?, ?>) each.get("with")).keySet().forEach(name -> given.add(name.toString()));
        }
      }
    }
    assertThat(given).contains("scenario", "base", "head");
    assertThat(ActionFile.read().inputs().keySet()).containsAll(given);
  }

  @Test
  void inputsAreDeclaredAndUsed() throws Exception {
    ActionFile action = ActionFile.read();
    List<String> used = new ArrayList<>();
    for (Step step : action.steps()) {
      for (String expression : step.expressions()) {
        INPUT.matcher(expression).results().forEach(found -> used.add(found.group(1)));
      }
    }
    assertThat(used).containsAll(action.inputs().keySet());
    assertThat(action.inputs().keySet()).containsAll(used);
  }
}
