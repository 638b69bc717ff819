package kvrank.worker.client;

import kvrank.binding.Pipelined;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.ValueCheck;
import kvrank.workload.request.Requests;

/** The requests of one client that are in flight together, in order. */
final class PipelineWindow {

  private final InFlightRequest[] inFlight;
  private int size;

  PipelineWindow(CallContext context, Pipelined engine, int capacity) {
    this.inFlight = new InFlightRequest[capacity];
    ValueCheck values = new ValueCheck(context);
    for (int i = 0; i < capacity; i++) {
      inFlight[i] = new InFlightRequest(context, engine, values);
    }
  }

  /** Adds the request of one record that {@code requests} is at; there must be room. */
  void add(Requests requests) {
    inFlight[size++].prepare(requests);
  }

  boolean isFull() {
    return size == inFlight.length;
  }

  int size() {
    return size;
  }

  /** The {@code i}-th request. */
  InFlightRequest request(int i) {
    return inFlight[i];
  }

  void clear() {
    size = 0;
  }
}
