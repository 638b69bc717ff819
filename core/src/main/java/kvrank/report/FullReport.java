package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** Everything that is known: answers, standings, every table, what is not ranked, the machine. */
final class FullReport {

  private final RankingIndex board;
  private final Exclusions exclusions;
  private final Notes notes;
  private final RankingTables tables;

  FullReport(RankingIndex board) {
    this.board = board;
    this.exclusions = new Exclusions(board);
    this.notes = new Notes(board);
    this.tables = new RankingTables(board, notes);
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>(Preamble.of(board, Integer.MAX_VALUE));
    section(blocks, "Answers", Answers.of(board));
    blocks.addAll(DurabilityNotes.warning(board, Integer.MAX_VALUE));
    blocks.addAll(ExpectationReport.blocks(board.results()));
    section(blocks, "Left out of every table", exclusions.everywhere());
    blocks.addAll(standings());
    List<Block> killTest = CrashReport.full(board, notes);
    if (!killTest.isEmpty()) {
      blocks.add(new Block.Heading(2, CrashReport.TITLE));
      blocks.addAll(killTest);
    }
    blocks.addAll(AcrossReport.full(board));
    blocks.addAll(TableReport.blocks(board, exclusions, TableFrame.Ties.TOGETHER));
    String phase = "";
    for (Group whole : board.wholes()) {
      if (!whole.phase().equals(phase)) {
        phase = whole.phase();
        blocks.add(new Block.Heading(2, title(whole)));
      }
      blocks.addAll(phase(whole));
    }
    section(blocks, "Notes", notes.list());
    blocks.addAll(reading());
    section(blocks, "Settings", settings());
    section(blocks, "Environment", pairs(board.results().environment()));
    return blocks;
  }

  private static void section(List<Block> blocks, String title, List<String> items) {
    if (!items.isEmpty()) {
      blocks.add(new Block.Heading(2, title));
      blocks.add(new Block.Items(items));
    }
  }

  private static String title(Group whole) {
    return whole.workload().equals(whole.phase())
        ? whole.phase()
        : whole.phase() + " (workload " + whole.workload() + ")";
  }

  private List<Block> standings() {
    List<Block> blocks = new ArrayList<>();
    if (board.wholes().isEmpty()) {
      return blocks;
    }
    blocks.add(new Block.Heading(2, "Standings"));
    blocks.add(
        new Block.Text(
            "Throughput as a ratio to the best engine of the phase, and in brackets the rank;"
                + " \"=\" marks a rank that is shared, \"?\" one by the value alone."));
    for (List<Group> wholes : board.wholesByPoint()) {
      if (!wholes.get(0).point().isEmpty()) {
        blocks.add(new Block.Heading(3, wholes.get(0).point()));
      }
      blocks.add(new Block.Grid(tables.matrix(wholes)));
    }
    return blocks;
  }

  private List<Block> phase(Group whole) {
    List<Block> blocks = new ArrayList<>();
    String point = whole.point().isEmpty() ? "" : " at " + whole.point();
    blocks.add(new Block.Heading(3, whole.phase() + point));
    SortedMap<String, String> own = ownSettings(whole);
    if (!own.isEmpty()) {
      blocks.add(new Block.Text("Settings of this phase: " + String.join(", ", pairs(own)) + "."));
    }
    if (board.throughput(whole).standings().isEmpty()) {
      blocks.add(new Block.Text("No engine can be ranked here."));
    } else {
      blocks.add(new Block.Grid(tables.full(whole)));
    }
    List<String> below = exclusions.below(whole);
    if (!below.isEmpty()) {
      blocks.add(new Block.Text("Left out here:"));
      blocks.add(new Block.Items(below));
    }
    List<String> unmeasured = DurabilityNotes.unmeasured(board, whole);
    if (!unmeasured.isEmpty()) {
      blocks.add(new Block.Text("Durability that could not be measured:"));
      blocks.add(new Block.Items(unmeasured));
    }
    List<Group> operations = board.operations(whole);
    if (operations.size() > 1) {
      for (Group operation : operations) {
        blocks.add(
            new Block.Heading(
                4, whole.phase() + ", " + operation.operation().orElseThrow() + point));
        blocks.add(new Block.Grid(tables.full(operation)));
      }
    }
    tables
        .resources(whole)
        .ifPresent(
            table -> {
              blocks.add(new Block.Heading(4, whole.phase() + ", resources" + point));
              blocks.add(new Block.Grid(table));
            });
    return blocks;
  }

  /** What holds in this phase and not at its factor point. */
  private SortedMap<String, String> ownSettings(Group whole) {
    SortedMap<String, String> own = new TreeMap<>();
    for (RunRecord run : board.results().runs()) {
      for (PhaseRecord phase : run.phases()) {
        if (run.factors().equals(whole.factors()) && phase.name().equals(whole.phase())) {
          own.putAll(phase.settings());
        }
      }
    }
    own.entrySet().removeAll(whole.factors().entrySet());
    return own;
  }

  private static List<String> pairs(SortedMap<String, String> map) {
    return map.entrySet().stream().map(pair -> pair.getKey() + "=" + pair.getValue()).toList();
  }

  private List<String> settings() {
    Manifest manifest = board.results().manifest();
    return manifest.factors().entrySet().stream()
        .filter(factor -> !factor.getValue().isEmpty())
        .map(FullReport::setting)
        .collect(Collectors.toList());
  }

  private static String setting(Map.Entry<String, List<String>> factor) {
    return factor.getKey() + "=" + String.join(", ", factor.getValue());
  }

  private List<Block> reading() {
    List<String> items = new ArrayList<>();
    items.add(
        "Throughput counts OK records per second. A value is the median of the repetitions; the 95%"
            + " interval covers the median of ever more repetitions in 95 of 100 cases. It is"
            + " Student's on the logarithms; few repetitions make it wide, and with n=1 or n=2"
            + " there is none.");
    items.add(
        "Engines share a rank, and are tied, if the interval of the ratio to the best engine of the"
            + " rank includes 1. These intervals are wider the more engines there are, so that equal"
            + " engines get different ranks in at most 5 of 100 tables (Holm). \"?\" marks a"
            + " rank that goes by the value alone, as too few repetitions cannot tell a tie.");
    items.add(
        "Latency is per request, of a whole batch where there is one; "
            + (rated()
                ? "it counts from the intended start where a rate is set, and is service time"
                    + " elsewhere."
                : "it is service time, as no rate was set.")
            + " \"-\" stands where the sample is too small for a percentile.");
    items.add(
        "The number in brackets after a value is the engine's rank by that value; \"=\" marks a rank"
            + " that is shared.");
    items.add("Errors and records not found are per repetition; neither is throughput.");
    if (looked()) {
      items.add(
          "Flushes per write are those that the disk completed beyond its idle rate, for each"
              + " acknowledged write request. Durability is proven with fsync=on if they were at"
              + " least one for every group of writes that can wait together (threads x pipeline),"
              + " and with fsync=off if they were clearly fewer.");
    }
    return List.of(new Block.Heading(2, "How to read this"), new Block.Items(items));
  }

  private boolean looked() {
    return board.wholes().stream()
        .anyMatch(
            whole ->
                board.engines().stream()
                    .anyMatch(engine -> board.durability(whole, engine).isPresent()));
  }

  private boolean rated() {
    return board.results().manifest().factors().getOrDefault("rate", List.of()).stream()
        .anyMatch(rate -> !rate.equals("max"));
  }
}
