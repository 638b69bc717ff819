package kvrank.worker.client;

import java.util.Optional;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.MixRequests;

/** Applies windows of requests. A scan or read-modify-write is sent when nothing is in flight. */
final class PipelinedLoop implements Loop {

  private final PhaseSetup setup;
  private final Pipeline pipeline;
  private final SerialLoop serial;
  private final Wait wait;

  /**
   * @param serial applies requests that cannot be pipelined
   */
  PipelinedLoop(PhaseSetup setup, Pipeline pipeline, SerialLoop serial) {
    this.setup = setup;
    this.pipeline = pipeline;
    this.serial = serial;
    this.wait = setup.newWait();
  }

  @Override
  public void run(long origin) throws WorkerException {
    long now = wait.until(0, origin);
    Pipeline.Next next = Pipeline.Next.WINDOW;
    while (next != Pipeline.Next.NOTHING && !pipeline.over(now) && !setup.stopped()) {
      next = pipeline.fill();
      if (!pipeline.isEmpty()) {
        wait.until(pipeline.due(), origin);
        pipeline.send(origin);
        now = pipeline.receive(origin);
      }
      if (next == Pipeline.Next.ALONE) {
        now = serial.one(origin);
      }
    }
  }

  @Override
  public Optional<MixRequests> mix() {
    return serial.mix();
  }
}
