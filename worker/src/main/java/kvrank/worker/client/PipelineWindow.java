package kvrank.worker.client;

import kvrank.binding.Pipelined;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.ValueCheck;
import kvrank.workload.request.Requests;

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

  /** Adds the current request, which is for one record; there must be room. */
  void add(Requests requests) {
    inFlight[size++].prepare(requests);
  }

  boolean isFull() {
    return size == inFlight.length;
  }

  int size() {
    return size;
  }

  InFlightRequest request(int i) {
    return inFlight[i];
  }

  void clear() {
    size = 0;
  }
}
