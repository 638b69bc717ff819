package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import kvrank.stats.Tables;
import kvrank.stats.infer.PairInference.Basis;
import kvrank.stats.infer.PairInference.Contrast;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The figures are those of SciPy 1.17 and of a least-squares fit with NumPy. */
class BlockAnalysisTest {

  private static final double NONE = Double.NaN;
  private static final Offset<Double> EXACT = within(1e-9);

  private static final double[] FAST = {1000, 1030, 985, 1012, 1005};
  private static final double[] SLOWER = {950, 985, 941, 958, 961};
  private static final double[] NOISY = {700, 900, 640, 820, 750};

  private static PairInference test(double[]... values) {
    return new BlockAnalysis(Tables.of(values), BlockAnalysis.COINCIDENCE).pair(0, 1).orElseThrow();
  }

  @Test
  void theUnpairedTestIsWelchs() {
    PairInference test = test(FAST, SLOWER);
    assertThat(test.difference()).isCloseTo(0.04825374388505832, EXACT);
    assertThat(test.contrasts()).hasSize(2);
    Contrast unpaired = test.contrasts().get(0);
    assertThat(unpaired.degrees()).isCloseTo(7.985267264704367, EXACT);
    assertThat(unpaired.p(test.difference()) * unpaired.weight())
        .isCloseTo(0.0018634928704749007, EXACT);
  }

  @Test
  void thePairedTestIsStudentsOfTheDifferences() {
    PairInference test = test(FAST, SLOWER);
    Contrast paired = test.contrasts().get(1);
    assertThat(paired.degrees()).isEqualTo(4);
    assertThat(paired.p(test.difference()) * paired.weight())
        .isCloseTo(1.932077368476866e-05, EXACT);
    assertThat(test.p()).isEqualTo(paired.p(test.difference()));
  }

  @Test
  void theTablesTestHasTheTablesNoiseUnlessAnEngineHasMore() {
    PairInference quiet = test(FAST, SLOWER, NOISY);
    Contrast table = quiet.contrasts().get(2);
    assertThat(table.error()).isCloseTo(0.04276885093065417, EXACT);
    assertThat(table.degrees()).isEqualTo(8);
    assertThat(quiet.contrasts().get(1)).extracting(Contrast::degrees).isEqualTo(4.0);
    PairInference noisy = test(FAST, NOISY, SLOWER);
    Contrast own = noisy.contrasts().get(2);
    assertThat(own.error()).isCloseTo(0.060449530993246355, EXACT);
    assertThat(own.degrees()).isCloseTo(7.070873946980995, EXACT);
    assertThat(own.p(noisy.difference()) * own.weight()).isCloseTo(0.0021061746893433287, EXACT);
  }

  /** 0.1.0 gave two of thirteen engines with more noise than the others' 3 degrees instead. */
  @Test
  void varianceThatIsLikeTheOthersHasTheirDegreesToo() {
    double[][] alike = Noise.normal(0.03).draw(13, 4, new SplittableRandom(1));
    double[][] unlike = Noise.normal(0.03).unequal(1, 30).draw(13, 4, new SplittableRandom(1));
    int noisiest = noisiest(alike);
    assertThat(degrees(alike, noisiest)).isGreaterThan(12);
    assertThat(degrees(unlike, noisiest(unlike))).isBetween(3.0, 6.0);
  }

  private static int noisiest(double[][] logs) {
    return IntStream.range(0, logs.length)
        .boxed()
        .max(Comparator.comparingDouble(e -> BlockAnalysis.squares(logs[e])))
        .orElseThrow();
  }

  private static double degrees(double[][] logs, int engine) {
    return new BlockAnalysis(Tables.ofLogs(logs), BlockAnalysis.REPEATED_COINCIDENCE)
        .pair(engine, (engine + 1) % logs.length)
        .orElseThrow()
        .contrasts()
        .get(0)
        .degrees();
  }

  @Test
  void weightsAddUpToOne() {
    for (PairInference test : List.of(test(FAST, SLOWER), test(FAST, SLOWER, NOISY))) {
      assertThat(test.contrasts().stream().mapToDouble(Contrast::weight).sum()).isCloseTo(1, EXACT);
    }
  }

  /** Three engines in three blocks: an engine's own spread is believed only if it is larger. */
  @Test
  void fewBlocksOfManyEnginesHaveTheTablesTestOnly() {
    PairInference test =
        test(
            new double[] {1000, 1001, 1002},
            new double[] {900, 901, 899},
            new double[] {800, 1100, 950});
    assertThat(test.contrasts()).hasSize(1);
    assertThat(test.contrasts().get(0).weight()).isEqualTo(1);
  }

  @Test
  void theIntervalLeavesOutZeroJustIfThePValueIsAtMostTheLevel() {
    PairInference test = test(FAST, SLOWER, NOISY);
    double p = test.p();
    assertThat(test.halfWidth(p)).isCloseTo(test.difference(), within(1e-6));
    assertThat(test.ratio(p * 1.01).low()).isGreaterThan(1);
    assertThat(test.ratio(p * 0.99).low()).isLessThan(1);
  }

  @Test
  void pairsUseTheBlocksThatTheyShare() {
    PairInference test =
        test(
            new double[] {1000, 1030, 985, 1012, 1005, 400},
            new double[] {950, 985, 941, 958, 961, NONE},
            new double[] {700, 900, 640, NONE, 750, 500});
    assertThat(test.blocks()).isEqualTo(5);
    assertThat(test.basis()).isEqualTo(Basis.REPETITIONS);
    assertThat(test.difference()).isCloseTo(0.04825374388505832, EXACT);
  }

  @Test
  void withoutSharedBlocksTheValuesAreIndependent() {
    PairInference test =
        test(
            new double[] {1000, 1030, 985, 1012, 1005, NONE, NONE, NONE, NONE, NONE},
            new double[] {NONE, NONE, NONE, NONE, NONE, 950, 985, 941, 958, 961});
    assertThat(test.basis()).isEqualTo(Basis.INDEPENDENT);
    assertThat(test.p()).isCloseTo(0.0018634928704749007, EXACT);
  }

  @Test
  void twoRepetitionsHaveNoTest() {
    BlockTable table = Tables.of(new double[][] {{1000, 1001}, {1, 2}});
    assertThat(new BlockAnalysis(table, BlockAnalysis.COINCIDENCE).pair(0, 1)).isEmpty();
  }

  /** The means of two executions of five: t with one degree of freedom. */
  @Test
  void executionsAreTheSampleWhereThereAreSeveral() {
    double[][] logs = {
      {5.00, 5.02, 5.04, 5.10, 5.12, 5.14}, {4.00, 4.00, 4.00, 4.06, 4.06, 4.06},
    };
    BlockTable table = Tables.ofLogs(logs, 3);
    PairInference test =
        new BlockAnalysis(table, BlockAnalysis.COINCIDENCE).pair(0, 1).orElseThrow();
    assertThat(test.basis()).isEqualTo(Basis.EXECUTIONS);
    assertThat(test.blocks()).isEqualTo(2);
    assertThat(test.difference()).isCloseTo(1.04, EXACT);
    // The differences are 1.02 and 1.06; the standard error of their mean is 0.02.
    assertThat(test.contrasts()).hasSize(1);
    assertThat(test.contrasts().get(0).error()).isCloseTo(0.02, EXACT);
    assertThat(test.contrasts().get(0).degrees()).isEqualTo(1);
  }

  @Test
  void valuesWithoutLogarithmsAreLeftOut() {
    assertThat(Tables.of(new double[][] {{1000, 0, 3}, {1, 2, 3}}).engines())
        .containsExactly("e01");
  }
}
