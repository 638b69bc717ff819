package kvrank.worker;

import kvrank.binding.Pipelined;
import kvrank.workload.Requests;

/** The requests of one thread that are in flight together, in order. */
final class Window {

  private final Slot[] slots;
  private int size;

  Window(CallContext context, Pipelined engine, int capacity) {
    this.slots = new Slot[capacity];
    ValueCheck values = new ValueCheck(context);
    for (int i = 0; i < capacity; i++) {
      slots[i] = new Slot(context, engine, values);
    }
  }

  /** Adds the request of one record that {@code requests} is at; there must be room. */
  void add(Requests requests) {
    slots[size++].prepare(requests);
  }

  boolean isFull() {
    return size == slots.length;
  }

  int size() {
    return size;
  }

  /** The {@code i}-th request. */
  Slot slot(int i) {
    return slots[i];
  }

  void clear() {
    size = 0;
  }
}
