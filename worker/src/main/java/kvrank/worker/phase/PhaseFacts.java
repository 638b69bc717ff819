package kvrank.worker.phase;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import kvrank.binding.ErrorLog;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.client.Client;
import kvrank.worker.client.Outages;
import kvrank.worker.client.PhaseSetup;
import kvrank.worker.client.PhaseStages;
import kvrank.worker.client.ThreadStats;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientGroup;
import kvrank.workload.request.Operation;

/** The facts of a phase that has ended. */
final class PhaseFacts {

  /** A request that begins this long after it was due is late. */
  private static final long LATE_NANOS = 1_000_000;

  private final PhaseSetup setup;
  private final List<Client> clients;
  private final Facts facts = new Facts();

  private PhaseFacts(PhaseSetup setup, List<Client> clients) {
    this.setup = setup;
    this.clients = clients;
  }

  /**
   * Returns the facts of a phase that has ended.
   *
   * @param elapsedNanos the measured time
   * @param records the number of existing records; negative if unknown
   */
  static Facts of(
      PhaseSetup setup,
      List<Client> clients,
      long elapsedNanos,
      HiccupMonitor hiccupMonitor,
      long records) {
    PhaseFacts phaseFacts = new PhaseFacts(setup, clients);
    if (records >= 0) {
      phaseFacts.facts.put(Fact.RECORDS, records);
    }
    long compensation = clients.stream().mapToLong(c -> c.compensation().records()).sum();
    if (compensation > 0) {
      phaseFacts.facts.put(Fact.COMPENSATION_RECORDS, compensation);
    }
    phaseFacts.facts.put(Fact.WARMUP_NANOS, setup.stages().measureNanos());
    setup.stages().steady().ifPresent(phaseFacts::warmup);
    phaseFacts.bytes();
    phaseFacts.incorrect();
    if (setup.values().expirations().known()) {
      long stale = clients.stream().mapToLong(client -> client.measured().stale()).sum();
      phaseFacts.facts.put(Fact.STALE_READS, stale);
    }
    if (setup.losesRecords()) {
      phaseFacts.facts.put(Fact.READS_HITS, phaseFacts.reads(true));
      phaseFacts.facts.put(Fact.READS_MISSES, phaseFacts.reads(false));
    }
    setup.stages().hitRatioLevel().ifPresent(level -> phaseFacts.facts.put(Fact.HITS_LEVEL, level));
    String said = ErrorLog.standard().mostFrequent();
    if (!said.isEmpty()) {
      phaseFacts.facts.put(Fact.ERRORS_SAID, said);
    }
    setup.refusal().ifPresent(refusal -> phaseFacts.facts.put(Fact.ERRORS_REFUSED, refusal));
    if (setup.phase().settings().pacing().open()) {
      phaseFacts.rate(elapsedNanos);
    }
    setup.phase().groups().forEach(group -> phaseFacts.rate(group, elapsedNanos));
    if (setup.phase().settings().errorsAllowed()) {
      phaseFacts.outages();
    }
    hiccupMonitor.tell(phaseFacts.facts);
    boolean recordedTimes =
        setup.phase().kind() == WorkerPhase.Kind.TRACE && setup.phase().settings().pacing().open();
    if (!recordedTimes) {
      hiccupMonitor.tellSteadiness(phaseFacts.facts);
    }
    return phaseFacts.facts;
  }

  private void warmup(PhaseStages.Steadied end) {
    facts.put(Fact.WARMUP_STEADY, end.reached());
    facts.put(Fact.WARMUP_TURNOVER, end.turnover());
  }

  private void bytes() {
    if (setup.measuresWrites()) {
      facts.put(
          Fact.USER_WRITTEN_BYTES,
          clients.stream()
              .flatMap(client -> Stream.of(client.measured(), client.compensation()))
              .mapToLong(ThreadStats::writtenBytes)
              .sum());
    }
    if (setup.measuresReads()) {
      facts.put(
          Fact.USER_READ_BYTES, clients.stream().mapToLong(c -> c.measured().readBytes()).sum());
    }
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
          facts.put(Fact.INCORRECT_EXAMPLE, stats.finding());
        }
      }
    }
  }

  private void outages() {
    Outages.Total total =
        Outages.total(
            clients.stream().map(Client::outages).toList(),
            setup.stages().measureNanos(),
            setup.stages().deadlineNanos());
    facts.put(Fact.UNAVAILABLE_NANOS, total.nanos());
    facts.put(Fact.UNAVAILABLE_LONGEST_NANOS, total.longestNanos());
    facts.put(
        Fact.REPEATED_RECORDS,
        clients.stream().mapToLong(client -> client.measured().repeated()).sum());
  }

  private void rate(ClientGroup group, long elapsedNanos) {
    facts.put(Fact.GROUP_THREADS, group.name(), Integer.toString(group.threads()));
    if (group.pacing().open()) {
      List<Client> members = setup.of(group, clients);
      long counted = members.stream().mapToLong(Client::counted).sum();
      double achieved = elapsedNanos > 0 ? counted * 1e9 / elapsedNanos : 0;
      facts.put(Fact.GROUP_RATE_ASKED, group.name(), group.pacing().rateText());
      facts.put(
          Fact.GROUP_RATE_ACHIEVED, group.name(), String.format(Locale.ROOT, "%.1f", achieved));
    }
  }

  private void rate(long elapsedNanos) {
    long counted = clients.stream().mapToLong(Client::counted).sum();
    long unsent = clients.stream().mapToLong(Client::unsent).sum();
    facts.put(Fact.RATE_ASKED, setup.phase().settings().pacing().rate());
    facts.put(Fact.RATE_ACHIEVED, elapsedNanos > 0 ? counted * 1e9 / elapsedNanos : 0);
    facts.put(Fact.RATE_UNSENT, unsent);
    if (setup.phase().kind() == WorkerPhase.Kind.TRACE) {
      long late =
          clients.stream()
              .map(client -> client.measured().startDelay())
              .mapToLong(delay -> delay.getCountBetweenValues(LATE_NANOS, Long.MAX_VALUE))
              .sum();
      facts.put(Fact.TRACE_LATE, late);
    }
  }
}
