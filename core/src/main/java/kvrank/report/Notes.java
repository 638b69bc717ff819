package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;

/** What a reader has to know of an engine, as numbered footnotes. */
final class Notes {

  private record Note(String engine, String text) {}

  private final RankingIndex index;
  private final List<Note> notes = new ArrayList<>();

  Notes(RankingIndex index) {
    this.index = index;
    for (String engine : index.engines()) {
      index.results().runs().stream()
          .filter(run -> run.engine().equals(engine) && !run.note().isBlank())
          .map(RunRecord::note)
          .distinct()
          .sorted()
          .forEach(text -> notes.add(new Note(engine, text)));
    }
  }

  /** The engine's label and its footnote marks at a factor point, for example {@code ignix [1]}. */
  String marked(String engine, SortedMap<String, String> factors) {
    List<String> texts = index.runs(engine, factors).stream().map(RunRecord::note).toList();
    StringBuilder marked = new StringBuilder(engine);
    for (Note note : notes) {
      if (note.engine.equals(engine) && texts.contains(note.text)) {
        marked.append(" [").append(notes.indexOf(note) + 1).append(']');
      }
    }
    return marked.toString();
  }

  /** The footnotes. */
  List<String> list() {
    return notes.stream()
        .map(note -> "[%d] %s: %s".formatted(notes.indexOf(note) + 1, note.engine, note.text))
        .toList();
  }
}
