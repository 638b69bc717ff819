package kvrank.worker.client;

import kvrank.binding.Pipelined;
import kvrank.binding.ValueBuffer;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.OperationResult;
import kvrank.worker.call.ValueCheck;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;
import site.ycsb.Status;

/** One request in flight, reusable. */
final class InFlightRequest {

  private final CallContext context;
  private final Pipelined engine;
  private final ValueCheck values;
  private final byte[] key;
  private final ValueBuffer read;
  private final Value written;
  private Operation operation = Operation.READ;
  private boolean drawn;
  private long id;
  private long begun;
  private Status status = Status.OK;
  private boolean sent;
  private long start;
  private long end;

  InFlightRequest(CallContext context, Pipelined engine, ValueCheck values) {
    this.context = context;
    this.engine = engine;
    this.values = values;
    this.key = context.keys().newKey();
    this.read = context.newValueBuffer();
    this.written = context.values().value();
  }

  void prepare(Requests requests) {
    operation = requests.operation();
    drawn = !requests.compensating();
    id = requests.id(0);
    if (operation == Operation.READ_MISSING) {
      context.keys().writeMissing(id, key);
    } else {
      context.keys().write(id, key);
    }
    if (reads()) {
      read.clear();
      begun = context.values().expirations().now();
    } else if (operation != Operation.DELETE) {
      written.set(requests, 0);
    }
  }

  void send(long origin, OperationRecorder recorder) {
    start = System.nanoTime() - origin;
    sent = false;
    try {
      switch (operation) {
        case READ, READ_MISSING -> engine.sendRead(key);
        case INSERT -> engine.sendInsert(key, written);
        case UPDATE, FILL -> engine.sendUpdate(key, written);
        case DELETE -> engine.sendDelete(key);
        case READ_MODIFY_WRITE, RANGE_SCAN, PREFIX_SCAN, ITERATE, TRANSACTION ->
            throw new IllegalStateException(operation + " cannot be pipelined");
      }
      sent = true;
    } catch (Exception | LinkageError | AssertionError e) {
      status = recorder.threw(operation, e);
    }
  }

  /** Waits for the answer; answers arrive in the order of the requests. */
  void receive(long origin, OperationRecorder recorder) {
    if (sent) {
      try {
        status = engine.receive(reads() ? read : null);
      } catch (Exception | LinkageError | AssertionError e) {
        status = recorder.threw(operation, e);
      }
    }
    end = System.nanoTime() - origin;
  }

  void judge(OperationResult result) {
    result.set(status, 1);
    if (operation == Operation.READ_MISSING && result.errors() == 0) {
      context.neverWritten(key, read, result);
    } else if (operation == Operation.READ && result.ok() > 0) {
      context.found(read, result);
      values.check(operation, id, read, begun, result);
    } else if (operation == Operation.READ && result.notFound() > 0) {
      context.missed().accept(id);
      context.notFound(operation, id, result);
    } else if (operation == Operation.DELETE) {
      context.deleted(result);
      if (result.notFound() > 0) {
        context.notFound(operation, id, result);
      }
    } else if (operation.storesValue()) {
      context.wrote(written, result);
    }
  }

  private boolean reads() {
    return operation == Operation.READ || operation == Operation.READ_MISSING;
  }

  Operation operation() {
    return operation;
  }

  /**
   * Returns whether the workload drew the request, and it is not a compensating insert or a fill.
   */
  boolean drawn() {
    return drawn;
  }

  long start() {
    return start;
  }

  /** Returns when the answer arrived, in nanoseconds after the start. */
  long end() {
    return end;
  }
}
