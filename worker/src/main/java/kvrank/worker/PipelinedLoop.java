package kvrank.worker;

import java.util.Optional;
import kvrank.workload.MixRequests;

/**
 * One window of requests after the other. A request that cannot be pipelined, a scan or a
 * read-modify-write, waits until nothing is in flight and goes alone.
 */
final class PipelinedLoop implements Loop {

  private final PhaseSetup setup;
  private final Lane lane;
  private final SerialLoop serial;

  /**
   * @param serial applies what cannot be pipelined
   */
  PipelinedLoop(PhaseSetup setup, Lane lane, SerialLoop serial) {
    this.setup = setup;
    this.lane = lane;
    this.serial = serial;
  }

  @Override
  public void run(long origin) throws WorkerException {
    long now = Wait.until(0, origin);
    Lane.Next next = Lane.Next.WINDOW;
    while (next != Lane.Next.NOTHING && !lane.over(now) && !setup.stopped()) {
      next = lane.fill();
      if (!lane.isEmpty()) {
        Wait.until(lane.due(), origin);
        lane.send(origin);
        now = lane.receive(origin);
      }
      if (next == Lane.Next.ALONE) {
        now = serial.one(origin);
      }
    }
  }

  @Override
  public Optional<MixRequests> mix() {
    return serial.mix();
  }

  @Override
  public void restore(long end) throws WorkerException {
    serial.restore(end);
  }
}
