package kvrank.report.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import kvrank.Wording;
import kvrank.stats.Group;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PlacesTest {

  @RegisterExtension final Wording wording = new Wording();

  private static List<Group> groups(List<String> phases, List<String> threads, List<String> bytes) {
    List<Group> groups = new ArrayList<>();
    for (String phase : phases) {
      for (String thread : threads) {
        for (String size : bytes) {
          groups.add(
              new Group(
                  phase,
                  phase,
                  Optional.empty(),
                  new TreeMap<>(Map.of("fsync", "off", "threads", thread, "value-bytes", size)),
                  new TreeSet<>(List.of("threads", "value-bytes"))));
        }
      }
    }
    return groups;
  }

  @Test
  void nameWhatDistinguishesTheGroups() {
    List<Group> all = groups(List.of("get", "set"), List.of("1", "2"), List.of("64", "4096"));
    Places places = new Places(all);
    wording.check(places.of(all));
    assertThat(places.in(all.subList(0, 4))).isEqualTo(" in get");
    assertThat(places.of(all.subList(0, 2))).isEqualTo("get at threads=1");
    assertThat(places.of(List.of(all.get(0), all.get(4))))
        .isEqualTo("threads=1 with value-bytes=64");
  }

  @Test
  void listWhatIsNotEveryCombination() {
    List<Group> all = groups(List.of("get", "set"), List.of("1", "2"), List.of("64"));
    Places places = new Places(all);
    wording.check(places.in(all.subList(0, 3)));
    assertThat(places.of(all.subList(0, 3))).isEqualTo("get, set at threads=1");
    List<Group> sizes = groups(List.of("get"), List.of("1", "2"), List.of("64", "4096"));
    wording.check(new Places(sizes).in(sizes.subList(0, 3)));
    List<Group> both = groups(List.of("get", "set"), List.of("1", "2"), List.of("64", "4096"));
    wording.check(new Places(both).in(List.of(both.get(0), both.get(3), both.get(4), both.get(7))));
    wording.check(places.in(List.of(all.get(0), all.get(3))));
  }

  @Test
  void shortenLongListsOfValues() {
    List<String> threads = IntStream.rangeClosed(1, 13).mapToObj(Integer::toString).toList();
    List<Group> all = groups(List.of("get"), threads, List.of("64"));
    Places places = new Places(all);
    assertThat(places.in(all)).isEqualTo(" at threads=1 to 13");
    List<Group> odd = IntStream.rangeClosed(0, 6).mapToObj(i -> all.get(2 * i)).toList();
    assertThat(places.in(odd)).isEqualTo(" at threads=1, 3, 5, 7, 9, 11, and 1 more");
  }

  /** The report of 27 engines with two factor points ended in a StackOverflowError. */
  @Test
  void nameAPlaceOnceThatSeveralGroupsHave() {
    List<Group> all = groups(List.of("get", "set"), List.of("1", "2"), List.of("64"));
    List<Group> twice = List.of(all.get(0), all.get(0), all.get(1));
    assertThat(new Places(all).in(twice)).isEqualTo(" in get");
    assertThat(new Places(twice).of(twice)).isEqualTo("threads=1 and 2");
  }

  @Test
  void sayNothingAboutTheOnlyGroup() {
    List<Group> all = groups(List.of("get"), List.of("1"), List.of("64"));
    assertThat(new Places(all).in(all)).isEmpty();
    assertThat(new Places(all).of(all)).isEmpty();
  }
}
