package kvrank.worker;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.ErrorLog;
import kvrank.workload.Operation;

/** What else is to be said of a phase that has ended, beside its counts. */
final class PhaseFacts {

  /** What begins so long after it was due is late. */
  private static final long LATE_NANOS = 1_000_000;

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
   * @param elapsedNanos the measured time
   * @param records the number of records that are there now; negative if not known
   */
  static SortedMap<String, String> of(
      PhaseSetup setup,
      List<Client> clients,
      long elapsedNanos,
      HiccupMonitor hiccupMonitor,
      long records) {
    PhaseFacts phaseFacts = new PhaseFacts(setup, clients);
    if (records >= 0) {
      phaseFacts.facts.put("records", Long.toString(records));
    }
    long compensation = clients.stream().mapToLong(c -> c.compensation().records()).sum();
    if (compensation > 0) {
      phaseFacts.facts.put("compensation.records", Long.toString(compensation));
    }
    phaseFacts.facts.put("warmup.nanos", Long.toString(setup.stages().measureNanos()));
    phaseFacts.incorrect();
    if (setup.values().expirations().known()) {
      long stale = clients.stream().mapToLong(client -> client.measured().stale()).sum();
      phaseFacts.facts.put("stale.reads", Long.toString(stale));
    }
    if (setup.losesRecords()) {
      phaseFacts.facts.put("reads.hits", Long.toString(phaseFacts.reads(true)));
      phaseFacts.facts.put("reads.misses", Long.toString(phaseFacts.reads(false)));
    }
    setup
        .stages()
        .hitRatioLevel()
        .ifPresent(level -> phaseFacts.facts.put("hits.level", level ? "yes" : "no"));
    String said = ErrorLog.standard().said();
    if (!said.isEmpty()) {
      phaseFacts.facts.put("errors.said", said);
    }
    if (setup.phase().settings().pacing().open()) {
      phaseFacts.rate(elapsedNanos);
    }
    hiccupMonitor.tell(phaseFacts.facts);
    return phaseFacts.facts;
  }

  private long reads(boolean found) {
    return clients.stream()
        .mapToLong(client -> client.measured().answered(Operation.READ, found))
        .sum();
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

  private void rate(long elapsedNanos) {
    long counted = clients.stream().mapToLong(Client::counted).sum();
    long unsent = clients.stream().mapToLong(Client::unsent).sum();
    facts.put("rate.asked", Decimal.of(setup.phase().settings().pacing().rate()));
    facts.put("rate.achieved", Decimal.of(elapsedNanos > 0 ? counted * 1e9 / elapsedNanos : 0));
    facts.put("rate.unsent", Long.toString(unsent));
    if (setup.phase().kind() == WorkerPhase.Kind.TRACE) {
      long late =
          clients.stream()
              .map(client -> client.measured().startDelay())
              .mapToLong(delay -> delay.getCountBetweenValues(LATE_NANOS, Long.MAX_VALUE))
              .sum();
      facts.put("trace.late", Long.toString(late));
    }
  }
}
