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
 * One thread that drives several clients, each with a connection of its own: it sends for whichever
 * is due and receives for whichever has an answer to read, as event loops do. With a thread for
 * each of many connections most of a client's time goes into switching between threads.
 *
 * <p>An answer that waits because the thread is busy with another client's is waiting time of that
 * answer, as it is in a program that is built this way.
 */
public final class Multiplexer {

  /** How often the clients in flight are looked at though nothing arrives. */
  private static final long LOOK_MILLIS = 500;

  private final PhaseSetup setup;
  private final Wait wait;

  public Multiplexer(PhaseSetup setup) {
    this.setup = setup;
    this.wait = setup.newWait();
  }

  /** A client and where its answers arrive. */
  private static final class Member {
    private final Pipeline pipeline;
    private final Multiplexed binding;
    private SelectionKey key;
    private boolean inFlight;

    /** When its turn comes among those that are due at one time. */
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
   * Applies requests of the clients [first, first + count) of this machine until they have no more,
   * the time is over or the phase has been stopped.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @throws WorkerException if it is hopeless
   * @throws IOException if the system cannot watch the connections
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

  /** The next phase may use the connection without a selector. */
  private static void block(Member member) throws IOException {
    Optional<SelectableChannel> channel = member.binding.channel();
    if (channel.isPresent() && channel.get().isOpen()) {
      channel.get().configureBlocking(true);
    }
  }

  /** The state of one run. */
  private final class Event {

    private final Selector selector;
    private final List<Member> members;
    private final long origin;
    private final PriorityQueue<Member> idle =
        new PriorityQueue<>(Comparator.comparingLong(Member::due).thenComparing(Member::turn));
    private int inFlight;
    private long turns;

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

    /** Sends the next requests of {@code member}, if there are some; the time after that. */
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

    /** Has the selector watch the member's connection; whether there is one. */
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

    /** Receives what there is, or waits for something until the next request is due. */
    private void receive(long now) throws WorkerException, IOException {
      long millis = LOOK_MILLIS;
      if (!idle.isEmpty()) {
        millis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, idle.peek().due() - now));
      }
      int ready =
          millis == 0 ? selector.selectNow() : selector.select(Math.min(millis, LOOK_MILLIS));
      if (ready == 0) {
        endLost();
        return;
      }
      for (SelectionKey key : selector.selectedKeys()) {
        Member member = (Member) key.attachment();
        if (member.inFlight) {
          end(member);
        } else if (key.isValid()) {
          // The server closed it between requests, which the next one will find out.
          key.interestOps(0);
        }
      }
      selector.selectedKeys().clear();
    }

    /** Ends the members whose connection was closed under them: nothing arrives there any more. */
    private void endLost() throws WorkerException {
      for (Member member : members) {
        if (member.inFlight && !member.key.isValid()) {
          end(member);
        }
      }
    }

    /** Receives the member's answers; the time of the last. */
    private long end(Member member) throws WorkerException {
      long now = member.pipeline.receive(origin);
      member.inFlight = false;
      inFlight--;
      rest(member);
      return now;
    }
  }
}
