package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;

/** What a reader has to know of an engine, as numbered footnotes. */
final class Notes {

  private record Note(String engine, String text) {}

  private final RankingIndex index;
  private final List<Note> notes;

  Notes(RankingIndex index) {
    this.index = index;
    List<Note> found = new ArrayList<>();
    for (String engine : index.engines()) {
      index.results().runs().stream()
          .filter(run -> run.engine().equals(engine) && !run.note().isBlank())
          .map(RunRecord::note)
          .distinct()
          .sorted()
          .forEach(text -> found.add(new Note(engine, text)));
    }
    this.notes = List.copyOf(found);
  }

  /** The engine's label and its footnote marks at a factor point, for example {@code ignix [1]}. */
  String marked(String engine, SortedMap<String, String> factors) {
    return engine
        + IntStream.range(0, notes.size())
            .filter(index -> holds(notes.get(index), engine, factors))
            .mapToObj(index -> " [" + (index + 1) + "]")
            .collect(Collectors.joining());
  }

  private boolean holds(Note note, String engine, SortedMap<String, String> factors) {
    return note.engine().equals(engine)
        && index.runs(engine, factors).stream().anyMatch(run -> run.note().equals(note.text()));
  }

  /** The footnotes. */
  List<String> list() {
    return IntStream.range(0, notes.size())
        .mapToObj(
            index ->
                "[%d] %s: %s"
                    .formatted(index + 1, notes.get(index).engine(), notes.get(index).text()))
        .toList();
  }
}
