package kvrank.run.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.results.GeneratorFiles;
import kvrank.results.UnreadableException;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerMessage;

/** Merges the workers of several machines; a silent, ended or late one voids the phase. */
final class Generators implements AutoCloseable {

  /** A generator without an answer for this long is lost. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private static final int ROUNDS = 20;

  /** The minimum lead of an instant: a later message voids the phase. */
  private static final long LEAD_NANOS = 500_000_000;

  /** The lead of a single generator, so that all of its threads are ready. */
  private static final long LEAD_ALONE_NANOS = 20_000_000;

  private static final int LEAD_TRIPS = 10;

  private final int number;
  private final String build;
  private final GeneratorFiles files;
  private final Consumer<WorkerCommand> tell;
  private final Consumer<WorkerMessage> merged;
  private final Thread pulse = new Thread(this::ask, "generators-pulse");
  private final Clocks clocks;
  private final long[] heard;

  /** What each generator reported before the others did, in its order. */
  private final SortedMap<Integer, Deque<WorkerMessage>> received = new TreeMap<>();

  private final SortedMap<Integer, WorkerMessage.Progress> newest = new TreeMap<>();
  private final SortedMap<Integer, Facts> hosts = new TreeMap<>();
  private int taking;
  private long round;
  private int left;
  private int answers;
  private Optional<Failure> lost = Optional.empty();
  private boolean refused;

  /** Creates the merger of generators whose class path must have the digest {@code build}. */
  Generators(
      int number,
      String build,
      GeneratorFiles files,
      Consumer<WorkerCommand> tell,
      Consumer<WorkerMessage> merged) {
    this.number = number;
    this.build = build;
    this.files = files;
    this.tell = tell;
    this.merged = merged;
    this.clocks = new Clocks(number);
    this.heard = new long[number];
    this.taking = number;
  }

  /** Starts to ask each second whether they are alive; they ask this process as well. */
  void start() {
    pulse.setDaemon(true);
    pulse.start();
  }

  private void ask() {
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(1);
        synchronized (this) {
          askTime();
        }
      }
    } catch (InterruptedException over) {
      // They are no longer needed.
    }
  }

  private void askTime() {
    clocks.asked(++round, System.nanoTime());
    tell.accept(new WorkerCommand.Clock(round));
  }

  /** Sets whether the next command goes to all or only to the first. */
  synchronized void expect(boolean all) {
    taking = all ? number : 1;
    received.clear();
    newest.clear();
  }

  /** Returns the permanent problem of a generator, if there is one. */
  synchronized Optional<Failure> lost() {
    long now = System.nanoTime();
    for (int generator = 0; generator < number && lost.isEmpty(); generator++) {
      if (heard[generator] != 0 && now - heard[generator] > SILENCE.toNanos()) {
        lost =
            Optional.of(
                new Failure(
                    Cause.HARNESS,
                    "%s has not answered for %.1f s: its process, machine or network is gone"
                        .formatted(name(generator), (now - heard[generator]) / 1e9)));
      }
    }
    return lost;
  }

  /** Returns the name of a generator for messages, such as {@code generator 3 (on n3)}. */
  synchronized String name(int generator) {
    String host = hosts.getOrDefault(generator, new Facts()).text(Fact.GENERATOR_HOST);
    return "generator " + generator + (host.isEmpty() ? "" : " (on " + host + ")");
  }

  synchronized void heard(int generator, WorkerMessage message) {
    heard[generator] = System.nanoTime();
    if (message instanceof WorkerMessage.Clock clock) {
      clocks.answered(generator, clock, heard[generator], System.currentTimeMillis());
      answered(clock);
    } else if (message instanceof WorkerMessage.Written written) {
      try {
        files.append(generator, written.file(), written.text());
      } catch (IOException e) {
        String why = "the measurements of %s cannot be written: %s";
        lose("", Cause.of(e), why.formatted(name(generator), Reason.located(e)));
      }
    } else if (message instanceof WorkerMessage.Failed failed) {
      lose(failed.phase(), failed.cause(), name(generator) + ": " + failed.message());
    } else if (message instanceof WorkerMessage.Progress progress) {
      newest.put(generator, progress);
      if (generator == 0) {
        merged.accept(together(progress.phase()));
      }
    } else {
      received.computeIfAbsent(generator, any -> new ArrayDeque<>()).add(message);
      if (received.size() == taking) {
        List<WorkerMessage> messages = received.values().stream().map(Deque::remove).toList();
        received.values().removeIf(Deque::isEmpty);
        try {
          together(messages);
        } catch (RuntimeException e) {
          String phase =
              message instanceof WorkerMessage.Finished finished ? finished.result().phase() : "";
          String why = "the generators' reports cannot be merged: " + Reason.located(e);
          lose(phase, Cause.of(e), why);
        }
      }
    }
  }

  private void refuse(String why) {
    refused = true;
    lose("", Cause.HARNESS, why);
  }

  /** Returns whether one differs from this controller, which no server can explain. */
  synchronized boolean refused() {
    return refused;
  }

  private void lose(String phase, Cause cause, String why) {
    if (lost.isEmpty()) {
      lost = Optional.of(new Failure(cause, why));
    }
    merged.accept(new WorkerMessage.Failed(phase, cause, why));
  }

  private WorkerMessage.Progress together(String phase) {
    double done = 1;
    double perSecond = 0;
    long operations = 0;
    for (WorkerMessage.Progress progress : newest.values()) {
      done = Math.min(done, progress.done());
      perSecond += progress.perSecond();
      operations += progress.operations();
    }
    return new WorkerMessage.Progress(phase, done, operations, perSecond);
  }

  private void together(List<WorkerMessage> messages) {
    WorkerMessage first = messages.get(0);
    if (first instanceof WorkerMessage.Arrived) {
      clocks.forget();
      left = ROUNDS;
      answers = 0;
      askTime();
    } else if (first instanceof WorkerMessage.Ready) {
      ready(messages);
    } else if (first instanceof WorkerMessage.Measuring measuring) {
      long latest = Long.MIN_VALUE;
      for (int generator = 0; generator < messages.size(); generator++) {
        long nanos = ((WorkerMessage.Measuring) messages.get(generator)).nanos();
        latest = Math.max(latest, clocks.here(generator, nanos));
      }
      merged.accept(new WorkerMessage.Measuring(measuring.phase(), latest));
    } else if (first instanceof WorkerMessage.Finished finished) {
      finished(finished.result().phase(), messages);
    } else {
      merged.accept(first);
    }
  }

  /** Starts the next round after all answers, and after the last one lets them continue. */
  private void answered(WorkerMessage.Clock clock) {
    if (left == 0 || clock.round() != round || ++answers < number) {
      return;
    }
    answers = 0;
    if (--left > 0) {
      askTime();
      return;
    }
    long least = number == 1 ? LEAD_ALONE_NANOS : LEAD_NANOS;
    long instant = System.nanoTime() + Math.max(least, LEAD_TRIPS * clocks.slowestNanos());
    for (int generator = 0; generator < taking; generator++) {
      WorkerCommand go = new WorkerCommand.Go(clocks.there(generator, instant));
      tell.accept(new WorkerCommand.To(generator, go));
    }
  }

  /** Refuses generators that differ from this controller. */
  private void ready(List<WorkerMessage> messages) {
    for (int generator = 0; generator < messages.size(); generator++) {
      Facts facts = ((WorkerMessage.Ready) messages.get(generator)).facts();
      hosts.put(generator, facts);
      String java = facts.text(Fact.GENERATOR_JAVA);
      if (!Runtime.version().toString().equals(java)) {
        refuse(
            "%s has Java %s, this machine %s".formatted(name(generator), java, Runtime.version()));
        return;
      }
      if (!build.equals(facts.text(Fact.GENERATOR_BUILD))) {
        refuse(name(generator) + " has another build of kvrank; all machines need the same one");
        return;
      }
    }
    Facts facts = Facts.merged(Level.RUN, List.copyOf(hosts.values()));
    facts.put(Fact.GENERATORS, number);
    facts.put(
        Fact.GENERATORS_HOSTS,
        String.join(
            ",", hosts.values().stream().map(host -> host.text(Fact.GENERATOR_HOST)).toList()));
    facts.put(
        Fact.GENERATORS_CPUS,
        hosts.values().stream().mapToLong(host -> host.whole(Fact.GENERATOR_CORES)).sum());
    merged.accept(new WorkerMessage.Ready(facts));
  }

  private void finished(String phase, List<WorkerMessage> messages) {
    List<PhaseMerge.Part> parts = new ArrayList<>();
    for (int generator = 0; generator < messages.size(); generator++) {
      PhaseResult result = ((WorkerMessage.Finished) messages.get(generator)).result();
      parts.add(new PhaseMerge.Part(generator, hosts.get(generator), result, clocks));
    }
    PhaseMerge merge = new PhaseMerge(parts);
    try {
      files.merge(phase, merge.rows(), merge.began());
    } catch (IOException | UnreadableException e) {
      String why = "the generators' measurements cannot be merged: " + Reason.located(e);
      lose(phase, Cause.of(e), why);
      return;
    }
    Optional<Failure> problem = merge.problem();
    merged.accept(
        problem.isPresent()
            ? new WorkerMessage.Failed(phase, problem.get().cause(), problem.get().message())
            : new WorkerMessage.Finished(merge.result()));
  }

  @Override
  public void close() {
    pulse.interrupt();
  }
}
