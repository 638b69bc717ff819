package kvrank.scenario;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a scenario asks of the machine.
 *
 * @param medium the storage under the data directories
 * @param data the folder for data directories, if the scenario names one
 * @param isolation whether client and server have CPUs of their own
 */
public record MachineSpec(Medium medium, Optional<Path> data, Isolation isolation) {}
