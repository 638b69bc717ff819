package kvrank.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.worker.Specs;
import kvrank.workload.ClientSettings;
import kvrank.workload.HostedWorkload;
import kvrank.workload.OperationMix;
import kvrank.workload.TransactionPart;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerSpecTest {

  @TempDir private Path folder;

  private WorkerSpec spec() {
    WorkerPhase mix =
        new WorkerPhase(
            "größe = 1",
            WorkerPhase.Kind.MIX,
            new OperationMix(
                new TreeMap<>(Map.of(Operation.READ_MODIFY_WRITE, 3, Operation.PREFIX_SCAN, 97)),
                new KeyChoice(Distribution.HOTSPOT, 1.25, 0.1, 0.9),
                50,
                true),
            new ClientSettings(
                8,
                4,
                100,
                16,
                new Pacing(20_000.5, ArrivalProcess.POISSON),
                new Limits(Duration.ofMillis(1500), Duration.ZERO, 1_000_000_000_000L)),
            Optional.empty());
    WorkerPhase hosted =
        new WorkerPhase(
            "hosted",
            WorkerPhase.Kind.MIX,
            OperationMix.NONE,
            new ClientSettings(
                1, 1, 1, 1, Pacing.CLOSED, new Limits(Duration.ZERO, Duration.ofSeconds(1), 0)),
            Optional.of(
                new HostedWorkload(
                    "a.Workload",
                    new TreeMap<>(Map.of("fieldcount", "1", "a.b c", "=:\u00e4")),
                    List.of(Path.of("lib/b.jar"), Path.of("lib/a b.jar")))));
    return new Specs(folder.resolve("with space"))
        .binding("a.b.C$D")
        .property("host name", " 10.0.0.7:6666 = x # y ! z \\ ")
        .property("umlaut.ä", "line\nbreak\ttab é \u4e2d \ud83d\ude00")
        .property("empty", "")
        .records(4_000_000_000L)
        .keys(new KeyShape(30, 7))
        .values(
            new ValueShape(
                ValueShape.Kind.JSON,
                new ValueSizes(
                    ValueSizes.Spread.UNIFORM,
                    List.of(),
                    List.of(
                        new ValueSizes.Part(0.25, ValueSizes.fixed(300)),
                        new ValueSizes.Part(
                            0.75,
                            new ValueSizes(
                                ValueSizes.Spread.ZIPFIAN,
                                List.of(
                                    new ValueSizes.Bin(100, 100, 9),
                                    new ValueSizes.Bin(101, 2000, 7))))),
                    true),
                0.25),
            true)
        .load(Distribution.TIMESTAMP, 3, 1)
        .phase(mix)
        .phase(hosted)
        .phase(
            new WorkerPhase(
                "cart",
                WorkerPhase.Kind.MIX,
                mix.mix()
                    .with(
                        List.of(
                            new TransactionPart(Operation.READ, 3, ""),
                            new TransactionPart(Operation.UPDATE, 1, "cart"))),
                hosted.settings(),
                Optional.empty()))
        .spec();
  }

  @Test
  void comesBackAsItWas() throws Exception {
    Path file = folder.resolve("spec.properties");
    spec().write(file);
    assertThat(WorkerSpec.read(file)).isEqualTo(spec());
  }

  @Test
  void isSortedAndReadable() throws Exception {
    Path file = folder.resolve("spec.properties");
    spec().write(file);
    List<String> lines = Files.readAllLines(file);
    assertThat(lines)
        .isSorted()
        .contains("dataset.records=4000000000", "dataset.values.kind=json", "phases.0.kind=load")
        .contains("phases.1.mix.weights.prefix-scan=97", "phases.1.settings.pacing.rate=20000.5")
        .contains("phases.1.settings.limits.warmup=PT1.5S");
  }

  @Test
  void namesWhatIsMissing() throws Exception {
    Path file = folder.resolve("spec.properties");
    spec().write(file);
    List<String> lines = Files.readAllLines(file);
    lines.removeIf(line -> line.startsWith("phases.1.settings.pacing.rate"));
    Files.write(file, lines);
    assertThatThrownBy(() -> WorkerSpec.read(file))
        .hasMessage(file + ": 'phases.1.settings.pacing.rate' is missing");
  }
}
