package kvrank.worker.client;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import kvrank.binding.Multiplexed;
import kvrank.worker.protocol.WorkerException;

/**
 * One thread that drives several clients, each with its own connection, as an event loop does.
 * Threads for many connections would spend most of their time on context switches.
 *
 * <p>The time that an answer waits while the thread is busy counts as latency.
 */
public final class Multiplexer {

  /** Interval to check for closed connections, which the selector does not report. */
  private static final long LOOK_MILLIS = 500;

  private final PhaseSetup setup;
  private final Wait wait;

  public Multiplexer(PhaseSetup setup) {
    this.setup = setup;
    this.wait = setup.newWait();
  }

  private static final class Member {
    private final Pipeline pipeline;
    private final Multiplexed binding;
    private SelectionKey key;
    private boolean inFlight;

    /** Orders members that are due at the same time. */
    private long turn;

    private Member(Pipeline pipeline, Multiplexed binding) {
      this.pipeline = pipeline;
      this.binding = binding;
    }

    private long due() {
      return pipeline.due();
    }

    private long turn() {
      return turn;
    }
  }

  /**
   * Applies requests of the clients [first, first + count) of this machine until they run out, time
   * is over or the phase is stopped.
   *
   * @param origin the start, by {@link System#nanoTime}
   * @throws WorkerException if the engine seems gone
   */
  public void run(List<Client> clients, int first, int count, long origin)
      throws WorkerException, IOException {
    List<Member> members = new ArrayList<>(count);
    for (int client = first; client < first + count; client++) {
      Pipeline pipeline = clients.get(client).pipeline().orElseThrow();
      members.add(new Member(pipeline, (Multiplexed) setup.binding(setup.firstClient() + client)));
    }
    try {
      try (Selector selector = Selector.open()) {
        new Event(selector, members, origin).loop();
      }
    } finally {
      for (Member member : members) {
        block(member);
      }
    }
  }

  /** Restores blocking mode, as the next phase may use no selector. */
  private static void block(Member member) throws IOException {
    Optional<SelectableChannel> channel = member.binding.channel();
    if (channel.isPresent() && channel.get().isOpen()) {
      channel.get().configureBlocking(true);
    }
  }

  private final class Event {

    private final Selector selector;
    private final List<Member> members;
    private final long origin;
    private final PriorityQueue<Member> idle =
        new PriorityQueue<>(Comparator.comparingLong(Member::due).thenComparing(Member::turn));
    private int inFlight;
    private long turns;

    /** The last check for closed connections. */
    private long looked;

    private Event(Selector selector, List<Member> members, long origin) {
      this.selector = selector;
      this.members = members;
      this.origin = origin;
    }

    private void loop() throws WorkerException, IOException {
      long now = wait.until(0, origin);
      members.forEach(this::rest);
      while (inFlight > 0 || !idle.isEmpty()) {
        while (!idle.isEmpty() && (idle.peek().due() <= now || setup.stopped())) {
          now = begin(idle.remove(), now);
        }
        if (inFlight > 0) {
          receive(now);
          now = System.nanoTime() - origin;
        } else if (!idle.isEmpty()) {
          now = wait.until(idle.peek().due(), origin);
        }
      }
    }

    private void rest(Member member) {
      member.turn = turns++;
      idle.add(member);
    }

    /** Sends the next requests of {@code member} if it has any; returns the time after that. */
    private long begin(Member member, long now) throws WorkerException, IOException {
      Pipeline pipeline = member.pipeline;
      if (pipeline.over(now) || setup.stopped()) {
        return now;
      }
      pipeline.fill();
      if (pipeline.isEmpty()) {
        return now;
      }
      pipeline.send(origin);
      member.binding.flush();
      member.inFlight = true;
      inFlight++;
      if (!watched(member)) {
        return end(member);
      }
      return System.nanoTime() - origin;
    }

    /** Registers the connection with the selector; returns whether there is one. */
    private boolean watched(Member member) throws IOException {
      Optional<SelectableChannel> channel = member.binding.channel();
      if (channel.isEmpty()) {
        return false;
      }
      SelectionKey key = member.key;
      if (key != null && key.channel() == channel.get()) {
        if (key.isValid() && key.interestOps() == 0) {
          key.interestOps(SelectionKey.OP_READ);
        }
        return key.isValid();
      }
      try {
        channel.get().configureBlocking(false);
        member.key = channel.get().register(selector, SelectionKey.OP_READ, member);
        return true;
      } catch (ClosedChannelException e) {
        return false;
      }
    }

    /** Receives available answers, or waits for one until the next request is due. */
    private void receive(long now) throws WorkerException, IOException {
      if (now - looked >= TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
        looked = now;
        endLost();
      }
      long millis = LOOK_MILLIS;
      if (!idle.isEmpty()) {
        millis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, idle.peek().due() - now));
      }
      if (millis == 0) {
        selector.selectNow();
      } else {
        selector.select(Math.min(millis, LOOK_MILLIS));
      }
      for (SelectionKey key : selector.selectedKeys()) {
        Member member = (Member) key.attachment();
        if (member.inFlight) {
          end(member);
        } else if (key.isValid()) {
          // The server closed an idle connection; the next request fails.
          key.interestOps(0);
        }
      }
      selector.selectedKeys().clear();
    }

    /** Ends members with a closed connection, which receive nothing any more. */
    private void endLost() throws WorkerException {
      for (Member member : members) {
        if (member.inFlight && !member.key.isValid()) {
          end(member);
        }
      }
    }

    /** Receives the member's answers; returns the time of the last. */
    private long end(Member member) throws WorkerException {
      long now = member.pipeline.receive(origin);
      member.inFlight = false;
      inFlight--;
      rest(member);
      return now;
    }
  }
}
