package kvrank.worker;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What else is to be said of a phase that has ended, beside its counts. */
final class PhaseFacts {

  private final PhaseSetup setup;
  private final List<Client> clients;
  private final SortedMap<String, String> facts = new TreeMap<>();

  private PhaseFacts(PhaseSetup setup, List<Client> clients) {
    this.setup = setup;
    this.clients = clients;
  }

  /**
   * The facts, by the names that {@link PhaseResult} lists.
   *
   * @param records the number of records that are there now
   */
  static SortedMap<String, String> of(
      PhaseSetup setup, List<Client> clients, HiccupMonitor hiccupMonitor, long records) {
    PhaseFacts all = new PhaseFacts(setup, clients);
    all.facts.put("records", Long.toString(records));
    all.incorrect();
    if (setup.phase().settings().pacing().open()) {
      all.rate();
    }
    hiccupMonitor.tell(all.facts);
    return all.facts;
  }

  private void incorrect() {
    for (Client client : clients) {
      for (ThreadStats stats : List.of(client.warmup(), client.measured())) {
        if (!stats.finding().isEmpty()) {
          facts.put("incorrect.example", stats.finding());
        }
      }
    }
  }

  private void rate() {
    double asked = setup.phase().settings().pacing().rate();
    long counted = clients.stream().mapToLong(Client::counted).sum();
    PhaseLimits limits = PhaseLimits.of(setup.phase(), 0);
    long end = clients.stream().mapToLong(client -> client.measured().lastEnd()).max().orElse(0);
    // The last request is done a gap before the stretch is over, if the engine keeps up.
    double planned =
        setup.phase().settings().limits().duration().isZero()
            ? counted / asked * 1e9
            : setup.phase().settings().limits().duration().toNanos();
    double stretch = Math.max(planned, (double) end - limits.warmupNanos());
    facts.put("rate.asked", Decimal.of(asked));
    facts.put("rate.achieved", Decimal.of(stretch > 0 ? counted * 1e9 / stretch : 0));
    long missed = clients.stream().mapToLong(Client::missed).sum();
    facts.put("rate.missed", Long.toString(missed));
  }
}
