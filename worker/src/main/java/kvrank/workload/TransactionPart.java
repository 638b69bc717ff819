package kvrank.workload;

import kvrank.workload.request.Operation;

/**
 * One operation of a transaction.
 *
 * @param times the number of its requests, each for another choice of a record
 * @param record the name of the record that parts with this name share; empty without one
 */
public record TransactionPart(Operation operation, int times, String record) {}
