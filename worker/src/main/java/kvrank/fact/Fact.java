package kvrank.fact;

import static java.util.stream.Collectors.toMap;
import static kvrank.fact.Level.GENERATOR;
import static kvrank.fact.Level.MACHINE;
import static kvrank.fact.Level.PHASE;
import static kvrank.fact.Level.RUN;
import static kvrank.fact.Merging.EACH;
import static kvrank.fact.Merging.EXAMPLE;
import static kvrank.fact.Merging.FARTHEST;
import static kvrank.fact.Merging.LARGEST;
import static kvrank.fact.Merging.NONE;
import static kvrank.fact.Merging.RECOMPUTED;
import static kvrank.fact.Merging.SUM;
import static kvrank.fact.Merging.WORST;
import static kvrank.fact.Unit.BYTES;
import static kvrank.fact.Unit.COUNT;
import static kvrank.fact.Unit.NANOSECONDS;
import static kvrank.fact.Unit.PER_SECOND;
import static kvrank.fact.Unit.RATIO;
import static kvrank.fact.Unit.SHARE;
import static kvrank.fact.Unit.TEXT;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A named finding in addition to the measured figures; docs/reference/facts.md is generated from
 * these constants. A name with a part in upper case, such as {@code setting.NAME}, is a family.
 * Facts of an engine or a binding are in the family {@link #ENGINE}, so they cannot collide with
 * others.
 */
public enum Fact {
  HOST(MACHINE, "host", "Name of the machine that runs kvrank."),
  CPU_MODEL(MACHINE, "cpu.model", "Model of the processor."),
  CPU_CORES(MACHINE, "cpu.cores", COUNT, "Processors that are available to kvrank."),
  CPU_NODES(MACHINE, "cpu.nodes", "Memory nodes of these processors, as in `0-1`."),
  CPU_GOVERNOR(
      MACHINE, "cpu.governor", "Frequency governors of the cores; missing on systems without any."),
  CPU_TURBO(
      MACHINE,
      "cpu.turbo",
      "`on` or `off`: whether cores may exceed their nominal frequency; missing if unknown."),
  MEMORY_TOTAL(MACHINE, "memory.total", "Physical memory with its unit, as in `24684084 kB`."),
  OS(MACHINE, "os", "Name, version and architecture of the operating system."),
  OS_DISTRIBUTION(MACHINE, "os.distribution", "Linux distribution and its version."),
  JAVA_VERSION(MACHINE, "java.version", "Version of the Java runtime that runs kvrank."),
  JAVA_VM(MACHINE, "java.vm", "Name of the Java virtual machine that runs kvrank."),
  LOAD_AVERAGE(
      MACHINE, "load.average", "Load averages of the last 1, 5 and 15 minutes before the runs."),
  MACHINE_VIRTUAL(
      MACHINE, "machine.virtual", "`yes` or `no`: whether the processor reports a hypervisor."),
  MACHINE_WARNING(
      MACHINE,
      "machine.warning.N",
      "A reason why results of this machine are less reliable; printed before the runs and at the"
          + " top of reports."),
  ISOLATION(
      MACHINE,
      "isolation",
      "`CPU sets` if client and server run on separate cores, otherwise `none` and the reason."),
  ISOLATION_CLIENT_CPUS(
      MACHINE,
      "isolation.clientCpus",
      "CPUs that the client runs on; other CPUs count as another machine."),
  ISOLATION_CLIENT_NODES(
      MACHINE, "isolation.clientNodes", "Memory nodes of the CPUs that the client runs on."),
  ISOLATION_SERVER_CPUS(
      MACHINE,
      "isolation.serverCpus",
      "CPUs that the server runs on; other CPUs count as another machine."),
  ISOLATION_SERVER_NODES(
      MACHINE, "isolation.serverNodes", "Memory nodes of the CPUs that the server runs on."),
  STORAGE_FILE_SYSTEM(
      MACHINE, "storage.fileSystem", "File system that holds the data directories."),
  STORAGE_MOUNT_OPTIONS(
      MACHINE,
      "storage.mountOptions",
      "Mount options of that file system, with ext4's defaults for `barrier` and `data`."),
  STORAGE_DEVICE(
      MACHINE, "storage.device", "Block device that holds the data directories, or `unknown`."),
  STORAGE_MEDIUM(
      MACHINE,
      "storage.medium",
      "Kind of storage that the system reports: `ssd`, `hdd`, `memory` or `unknown`."),
  STORAGE_ROTATIONAL(
      MACHINE,
      "storage.rotational",
      "`yes`, `no` or `unknown`: whether the system reports a rotating disk."),
  STORAGE_WARNING(
      MACHINE,
      "storage.warning",
      "Why the storage may not be the medium that the scenario requests."),
  STORAGE_FREE_BYTES(MACHINE, "storage.freeBytes", "Space for new files before the first run."),
  STORAGE_MODEL(
      MACHINE,
      "storage.model",
      "Vendor and model of the disk; of all disks below a logical volume."),
  STORAGE_FIRMWARE(MACHINE, "storage.firmware", "Firmware of those disks."),
  STORAGE_SIZE_BYTES(MACHINE, "storage.sizeBytes", "Size of the block device."),
  STORAGE_USED(
      MACHINE,
      "storage.used",
      SHARE,
      "Share of the file system that was in use before the first run."),
  STORAGE_READ_AHEAD_BYTES(
      MACHINE, "storage.readAheadBytes", "Read-ahead of the block device for files."),
  STORAGE_DISCARD(
      MACHINE,
      "storage.discard",
      "`yes` or `no`: whether the block device accepts discards (trim)."),
  STORAGE_WRITE_CACHE(
      MACHINE,
      "storage.writeCache",
      "`write back` if the disk has a volatile cache that a flush empties, otherwise `write"
          + " through`."),
  STORAGE_SCHEDULER(MACHINE, "storage.scheduler", "I/O scheduler of the block device."),
  STORAGE_FDATASYNC_COUNT(
      MACHINE,
      "storage.fdatasync.count",
      COUNT,
      "How often 4 KiB were appended to a file and synced before the runs."),
  STORAGE_FDATASYNC_MIN_NANOS(
      MACHINE, "storage.fdatasync.minNanos", "Shortest time that such a sync took."),
  STORAGE_FDATASYNC_P50_NANOS(MACHINE, "storage.fdatasync.p50Nanos", "Median of that time."),
  STORAGE_FDATASYNC_P90_NANOS(
      MACHINE, "storage.fdatasync.p90Nanos", "90th percentile of that time."),
  STORAGE_FDATASYNC_P99_NANOS(
      MACHINE, "storage.fdatasync.p99Nanos", "99th percentile of that time."),
  STORAGE_FDATASYNC_MAX_NANOS(MACHINE, "storage.fdatasync.maxNanos", "Longest of those times."),
  STORAGE_FDATASYNC_FLUSHES(
      MACHINE,
      "storage.fdatasync.flushes",
      RATIO,
      "Flushes that the disk counted for each of those syncs."),
  STORAGE_IDLE_FLUSHES_PER_SECOND(
      MACHINE,
      "storage.idleFlushesPerSecond",
      "Flushes that the disk completed for other processes before those syncs."),
  LABEL(MACHINE, "label", "Name of the execution, as `run --label` gives it."),
  COMMIT(
      MACHINE,
      "commit.NAME",
      "Commit of `kvrank`'s Git checkout, with `-dirty` if its files differ, or of the folder or"
          + " executable of the row NAME if that is elsewhere."),
  SCENARIO_CRC32(
      MACHINE,
      "scenario.crc32",
      "CRC-32 of the resolved scenario; `--resume` refuses a scenario that was changed since."),

  OTHERS_CPU_SHARE(
      Set.of(MACHINE, PHASE),
      "others.cpuShare",
      SHARE,
      NONE,
      "Share of all cores that others used, with kernel threads and their interrupts, by ticks or"
          + " idle time: before the runs, or during the phase."),
  OTHERS_DISK_SHARE(
      PHASE,
      "others.diskShare",
      SHARE,
      "Share of the phase, by samples, in which processes of others waited for a disk."),
  OTHERS_MEMORY_SHARE(
      PHASE,
      "others.memoryShare",
      SHARE,
      "Largest share of memory, or of a container's limit, that others held while the engine's files did"
          + " not fit into the rest."),
  OTHERS_DELAY_SHARE(
      PHASE,
      "others.delayShare",
      SHARE,
      "Share of their time in which threads of server and client waited for a CPU, if others used half a"
          + " CPU and some were idle."),
  OTHERS_REFAULTS(
      PHASE,
      "others.refaults",
      COUNT,
      "Pages of anyone's files that were read again soon after Linux had dropped them for lack of"
          + " memory, although the engine's files would fit."),
  TIMERS_PER_SECOND(
      PHASE,
      "timers.perSecond",
      "Timer interrupts of each CPU per second beyond context switches. Each takes time of the thread"
          + " that it interrupts."),
  TCP_SHORT_SHARE(
      PHASE,
      "tcp.shortShare",
      SHARE,
      "Share of the phase, by samples, in which the kernel used more than the first limit of"
          + " `tcp_mem`, and may have delayed packets."),
  STEAL_CPU_SHARE(
      Set.of(MACHINE, PHASE),
      "steal.cpuShare",
      SHARE,
      NONE,
      "Share of all cores that the hypervisor gave to other virtual machines: before the runs, or"
          + " during the phase."),
  ENGINE(
      Set.of(RUN, PHASE),
      "engine.NAME",
      TEXT,
      EACH,
      "What the engine or its binding reports under NAME: in a run after the start, in a phase after"
          + " its end."),

  ASKED(RUN, "asked", "Engine and options that the scenario requests for this row."),
  DESCRIPTION(RUN, "description", "A sentence about the engine, from its `engine.yaml`."),
  BASELINE(
      RUN, "baseline", "`yes` if the engine is a data structure to compare with, not a product."),
  LANGUAGE(RUN, "language", "Language that the engine is written in, from its `engine.yaml`."),
  WAY(
      RUN,
      "way",
      "How the engine was provided: `container`, `process`, `bundled`, `embedded` or `external`."),
  ADDRESS(
      RUN,
      "address",
      "How clients reach the server: `loopback`, `interface`, `unix`, `container`, `mapped-port` or"
          + " `external`."),
  SERVER_HOST(RUN, "host", "Host name or IP address of the server, or its Unix socket."),
  PORT(RUN, "port", "TCP port of the server."),
  MEMBERS(RUN, "members", "Addresses of a cluster's members, as the scenario lists them."),
  MEMBER_ADDRESS(RUN, "member.N.address", "Address of the Nth member of a cluster."),
  CLUSTER_MOVED(
      RUN,
      "cluster.moved",
      "Slots that moved between the members of a cluster during the run; a footnote in reports."),
  PID(RUN, "pid", "Process id of the server on this machine."),
  EXECUTABLE(RUN, "executable", "Path of the server's executable."),
  PID_NAMESPACE(
      RUN,
      "pid.namespace",
      "`yes` if the server's processes have a pid namespace, which none can leave; otherwise why"
          + " not."),
  IMAGE(RUN, "image", "Name of the server's container image."),
  IMAGE_ID(RUN, "imageId", "Id of that image."),
  IMAGE_DIGEST(RUN, "imageDigest", "Digest of that image in its registry, if it has one."),
  ENGINE_VERSION(RUN, "engine.version", EACH, "Version that the engine reports."),
  ENGINE_WRITE_BUFFER_BYTES(
      RUN,
      "engine.write-buffer-bytes",
      BYTES,
      EACH,
      "Size at which the engine writes a buffer of writes to storage, as it reports."),
  ENGINE_CACHE_BYTES(
      RUN,
      "engine.block-cache-bytes",
      BYTES,
      EACH,
      "Size of the engine's own cache, as it reports."),
  RELEASED(RUN, "released", "Year in which a bundled version was released, if it is known."),
  CONNECTIONS_LIMIT(
      RUN,
      "connections.limit",
      "Number of connections that the server accepts, as it reports. It may depend on the machine's"
          + " limits."),
  SETTING(RUN, "setting.NAME", "Value of the setting NAME that kvrank gave to the server."),
  SETTINGS(RUN, "settings", "Why the settings are not known; only for external servers."),
  PREPARE_COMMAND(
      RUN,
      "prepare.N.command",
      "The Nth command of `prepare`; engines prepared otherwise are rows."),
  PREPARE_STATUS(RUN, "prepare.N.status", "Its exit status, or `timed out`."),
  PREPARE_OUTPUT(RUN, "prepare.N.output", "The last line of its output."),
  WORKER_JVM(RUN, "worker.jvm", "Flags of the worker's Java virtual machine."),
  WORKER_CLOSING(
      RUN,
      "worker.closing",
      "How the worker ended if it could not close the engine after the last phase; a footnote of the"
          + " engine in reports."),
  GENERATORS(RUN, "generators", COUNT, "Machines that applied the load."),
  GENERATORS_HOSTS(RUN, "generators.hosts", "Names of those machines, separated by commas."),
  GENERATORS_CPUS(RUN, "generators.cpus", COUNT, "CPUs that are available to all generators."),
  MEMORY_EMPTY_ANONYMOUS_BYTES(
      RUN,
      "memory.emptyAnonymousBytes",
      "Anonymous memory of the server before the load: resident, without pages of files."),
  MEMORY_EMPTY_BYTES(RUN, "memory.emptyBytes", "Resident memory of the server before the load."),
  MEMORY_LIMIT_BYTES(
      RUN, "memory.limitBytes", "Memory limit of the run, if it is not in a container."),
  MEMORY_AVAILABLE_BYTES(
      RUN,
      "memory.availableBytes",
      "Memory limit of the run or of kvrank's container, or the machine's memory: what the engine and"
          + " the cache of its files could use."),
  MEMORY_PEAK_BYTES(
      RUN,
      "memory.peakBytes",
      "Most memory that was used within that limit; missing if the kernel does not count it."),
  MEMORY_KILLS(
      RUN, "memory.kills", COUNT, "Processes that the kernel killed because of that limit."),
  FOOTPRINT_CLOSED_BYTES(
      RUN,
      "footprint.closedBytes",
      "Allocated blocks of the data directory after the engine was closed; completed runs only."),
  DURABILITY_LEVEL(
      RUN,
      "durability.level",
      "Level of `fsync` of the run; may be stronger than the setting if that is `at-least`."),
  DURABILITY_FDATASYNC_P10_NANOS(
      RUN,
      "durability.fdatasync.p10Nanos",
      "10th percentile of the device's own `fdatasync` when it was fastest around the run; only"
          + " if `fsync` promises flushes."),
  DURABILITY_FDATASYNC_P50_NANOS(
      RUN,
      "durability.fdatasync.p50Nanos",
      "Median of the device's own `fdatasync` when it was fastest around the run; only if `fsync`"
          + " promises flushes."),
  DURABILITY_ONE_WRITE_VERDICT(
      RUN,
      "durability.oneWrite.verdict",
      "Verdict on durability from the stretch with one write in flight."),
  DURABILITY_ONE_WRITE_REASON(
      RUN, "durability.oneWrite.reason", "Figures behind the verdict on that stretch."),
  DURABILITY_ONE_WRITE_WRITES(
      RUN, "durability.oneWrite.writes", COUNT, "Writes acknowledged in that stretch."),
  DURABILITY_ONE_WRITE_FLUSHES(
      RUN, "durability.oneWrite.flushes", COUNT, "Flushes that the disk completed meanwhile."),
  DURABILITY_ONE_WRITE_WRITE_P10_NANOS(
      RUN,
      "durability.oneWrite.writeP10Nanos",
      "10th percentile of the write latency in that stretch."),
  DURABILITY_ONE_WRITE_WRITE_P50_NANOS(
      RUN, "durability.oneWrite.writeP50Nanos", "Median write latency in that stretch."),
  DURABILITY_ONE_WRITE_READ_P50_NANOS(
      RUN, "durability.oneWrite.readP50Nanos", "Median read latency in that stretch."),
  TIME_SERVER_SECONDS(
      RUN, "time.serverSeconds", "Part of the run's time: until its server was ready."),
  TIME_WORKER_SECONDS(
      RUN,
      "time.workerSeconds",
      "Then until the worker was ready, which opens an embedded engine."),
  TIME_PHASES_SECONDS(
      RUN,
      "time.phasesSeconds",
      "In the client's phases: load with its sample, warm-ups, measured time."),
  TIME_BETWEEN_SECONDS(
      RUN,
      "time.betweenSeconds",
      "Around phases: restored records, waits, the engine's figures, checks, size of the data."),
  TIME_STOP_SECONDS(
      RUN,
      "time.stopSeconds",
      "After the last phase: closing the engine, crash tests, removal of the data."),
  OTHERS_LOST_SECONDS(
      RUN,
      "others.lostSeconds",
      "Time spent before the run on waiting for a quiet machine and on attempts that do not count."),
  OTHERS_DISTURBED(
      RUN,
      "others.disturbed.N",
      "Why attempt N does not count; its files are in `runs/ID.disturbed-N`."),
  FAILED_BY_MACHINE(
      RUN,
      "failed.byMachine",
      "In older records: `true` if the machine caused the failure and not the engine; `--resume`"
          + " repeats such runs."),
  EXTERNAL_LEFT(
      RUN, "external.left", "Why keys of the run could not be removed from an external server."),
  DATA_LEFT(RUN, "data.left", "Why the data directory could not be removed."),
  DATA_KEPT(RUN, "data.kept", "Where `--keep-data` left the data directory."),

  FOOTPRINT_PEAK_BYTES(
      PHASE,
      "footprint.peakBytes",
      "Largest size of the allocated blocks of the data directory, read each second and at the end."),
  RECORDS(PHASE, "records", COUNT, RECOMPUTED, "Records that exist at the end of the phase."),
  ENGINE_RECORDS(
      PHASE,
      "engine.records",
      COUNT,
      EACH,
      "Records that the engine holds by its own count, those past their time to live included."),
  ENGINE_FLUSHES(
      PHASE,
      "engine.flushes",
      COUNT,
      EACH,
      "How often the engine has written a buffer of writes to storage since it was opened, by its own"
          + " count."),
  ENGINE_PENDING_BYTES(
      PHASE,
      "engine.pending-bytes",
      BYTES,
      EACH,
      "Bytes that background work, such as a compaction, still has to move at the end of the phase, by"
          + " the engine's own estimate."),
  ENGINE_PENDING_WORK(
      PHASE,
      "engine.pending-work",
      COUNT,
      EACH,
      "Flushes, compactions and similar work that run or wait at the end of the phase; 0 if the engine is"
          + " idle."),
  ENGINE_GO_HEAP_BYTES(
      PHASE,
      "engine.go.heap-inuse-bytes",
      BYTES,
      EACH,
      "`HeapInuse` of Go's runtime at the end of the phase, garbage included, of an engine written in"
          + " Go."),
  ENGINE_OFF_HEAP_BYTES(
      PHASE,
      "engine.off-heap-bytes",
      BYTES,
      EACH,
      "Memory outside of the Java heap that an embedded engine counts as its own at the end, with"
          + " files that it maps for records."),
  ENGINE_USED_MEMORY(
      PHASE,
      "engine.used_memory",
      BYTES,
      EACH,
      "Memory that a server of Redis's protocol counts as its own at the end of the phase."),
  FLUSHES_COUNT(
      PHASE, "flushes.count", COUNT, "Growth of `engine.flushes` in the phase, warm-up included."),
  COUNTED_READ_BYTES(
      PHASE,
      "counted.readBytes",
      "Bytes that an embedded engine read from its files while requests counted, by its own count."),
  COUNTED_WRITTEN_BYTES(
      PHASE, "counted.writtenBytes", "Bytes that it wrote to its files then, by its own count."),
  PENDING_BEGIN_BYTES(
      PHASE, "pending.beginBytes", "`engine.pending-bytes` at the start of the phase."),
  PENDING_BEGIN_WORK(
      PHASE, "pending.beginWork", COUNT, "`engine.pending-work` at the start of the phase."),
  SETTLE_NANOS(
      PHASE,
      "settle.nanos",
      NANOSECONDS,
      "Time from the end of the phase until the engine's background work was over; missing if it was"
          + " not when the wait ended."),
  SETTLE_IDLE(
      PHASE,
      "settle.idle",
      "`yes`, `no` or, after a short wait without any work, `unknown`: whether the engine was idle when"
          + " the wait of `settle` ended."),
  SETTLE_WRITTEN_BYTES(
      PHASE, "settle.writtenBytes", "Bytes that the engine's process wrote during that wait."),
  SETTLE_READ_BYTES(PHASE, "settle.readBytes", "Bytes that it read from storage during that wait."),
  COMPENSATION_RECORDS(
      PHASE,
      "compensation.records",
      COUNT,
      SUM,
      "Records inserted in addition to the workload, to make up for deletes of a mix without"
          + " inserts."),
  WARMUP_NANOS(
      PHASE,
      "warmup.nanos",
      NANOSECONDS,
      LARGEST,
      "Length of the warm-up: what `warmup` requests, or up to three times that; ten times if"
          + " misses are filled or code is compiled."),
  WARMUP_STEADY(
      PHASE,
      "warmup.steady",
      WORST,
      "`yes` or `no`: whether throughput was steady when a warm-up `until: steady` ended."),
  WARMUP_TURNOVER(
      PHASE,
      "warmup.turnover",
      RATIO,
      LARGEST,
      "Bytes of keys and values that such a warm-up wrote, or without writes records that it"
          + " requested, divided by those of the data."),
  READS_HITS(
      PHASE,
      "reads.hits",
      COUNT,
      SUM,
      "Records that reads found; only if records may be evicted or expire, or misses are"
          + " filled."),
  READS_MISSES(
      PHASE,
      "reads.misses",
      COUNT,
      SUM,
      "Records that reads did not find; only if records may be evicted or expire, or misses are"
          + " filled."),
  HITS_LEVEL(
      PHASE,
      "hits.level",
      WORST,
      "`yes` or `no`: whether the hit ratio was level when the warm-up ended; only closed loops that"
          + " fill misses."),
  STALE_READS(
      PHASE,
      "stale.reads",
      COUNT,
      SUM,
      "Reads that found a record over a second past its time to live, among the last million"
          + " written with one."),
  ALIVE_RECORDS(
      PHASE,
      "alive.records",
      COUNT,
      "Estimate of the records that reads find after a phase with times to live."),
  ALIVE_SAMPLE(PHASE, "alive.sample", COUNT, "Records that were read for that estimate."),
  ALIVE_MOST(PHASE, "alive.most", COUNT, "Largest number of records that can exist then."),
  SAMPLE(
      PHASE,
      "sample",
      COUNT,
      SUM,
      "Records read back and compared after the load, without those that the engine may have"
          + " evicted."),
  CHECKED_RECORDS(
      PHASE,
      "checked.records",
      COUNT,
      "Records read after the phase, unmeasured: up to 500 that must exist and up to 500 that were"
          + " deleted."),
  CHECKED_WRONG(PHASE, "checked.wrong", COUNT, "How many of them were missing, or not deleted."),
  INCORRECT_EXAMPLE(
      PHASE,
      "incorrect.example",
      EXAMPLE,
      "One of the wrong answers, or what a check after the phase found."),
  ERRORS_SAID(
      PHASE,
      "errors.said",
      EACH,
      "The binding's most frequent error messages with their counts, the warm-up included."),
  ERRORS_REFUSED(
      PHASE,
      "errors.refused",
      EACH,
      "Refusal of the system right after an operation failed: the worker can open no more files, or"
          + " start no more threads."),
  UNAVAILABLE_NANOS(
      PHASE,
      "unavailable.nanos",
      NANOSECONDS,
      LARGEST,
      "Time during which at least one request had failed and had not succeeded yet; only with"
          + " `errors: allowed`."),
  UNAVAILABLE_LONGEST_NANOS(
      PHASE,
      "unavailable.longestNanos",
      NANOSECONDS,
      LARGEST,
      "Longest such time without a break."),
  REPEATED_RECORDS(
      PHASE,
      "repeated.records",
      COUNT,
      SUM,
      "Records of requests that failed at least once; only with `errors: allowed`."),
  CONNECTIONS_OPENED(
      PHASE,
      "connections.opened",
      COUNT,
      SUM,
      "Connections that workers have opened to the server since the start of the run, if their"
          + " binding counts them."),
  CONNECTIONS_OTHERS(
      PHASE,
      "connections.others",
      COUNT,
      "Connections to kvrank's server that others opened during the phase."),
  CONNECTIONS_OTHERS_SHARE(
      PHASE,
      "connections.others.share",
      SHARE,
      "Share of the phase, by samples, in which others were connected to kvrank's server on this"
          + " machine."),
  STANDSTILL_NANOS(
      PHASE,
      "standstill.workerNanos",
      "How long the worker stood still, in a phase that failed for that reason."),
  RATE_ASKED(
      PHASE,
      "rate.asked",
      PER_SECOND,
      EACH,
      "Rate that an open loop should reach, all generators together."),
  RATE_ACHIEVED(PHASE, "rate.achieved", PER_SECOND, SUM, "Rate that the open loop reached."),
  RATE_UNSENT(
      PHASE,
      "rate.unsent",
      COUNT,
      SUM,
      "Requests that were due in time and never sent; their latency is the time that they waited."),
  GROUP_THREADS(
      PHASE, "group.threads.NAME", COUNT, "Threads of the group NAME of a phase with groups."),
  GROUP_RATE_ASKED(PHASE, "group.rate.NAME", PER_SECOND, "Rate that the group NAME should reach."),
  GROUP_RATE_ACHIEVED(
      PHASE, "group.rateAchieved.NAME", PER_SECOND, "Rate that the group NAME reached."),
  TRACE_LATE(
      PHASE,
      "trace.late",
      COUNT,
      SUM,
      "Requests of a paced trace that began over 1 ms after they were due."),
  STEADY(
      PHASE,
      "steady",
      WORST,
      "`yes`, `no` or `unknown`: whether throughput kept its level within 10 % after the warm-up;"
          + " missing for traces at their own times."),
  DRIFT(
      PHASE,
      "drift",
      RATIO,
      FARTHEST,
      "Throughput of the last third over that of the first, or of the middle third over both if only"
          + " that differs."),
  SEARCH_BOUND(PHASE, "search.bound", "Bound that a search for the highest rate must keep."),
  SEARCH_BOUND_NANOS(PHASE, "search.boundNanos", "Latency of that bound, as a number."),
  SEARCH_UNLIMITED(
      PHASE,
      "search.unlimited",
      PER_SECOND,
      "Throughput without a rate limit, from which the search starts."),
  SEARCH_RATE(PHASE, "search.rate", PER_SECOND, "Rate at which the latency crosses the bound."),
  SEARCH_UNDETERMINED(
      PHASE,
      "search.undetermined",
      "Last rate at which too few requests could decide about the bound, and why."),
  USER_WRITTEN_BYTES(
      PHASE,
      "user.writtenBytes",
      SUM,
      "Keys and values of successful writes, and keys of deletes; missing for traces and hosted"
          + " workloads."),
  USER_READ_BYTES(
      PHASE,
      "user.readBytes",
      SUM,
      "Keys and values of the records that reads and scans returned; missing like"
          + " `user.writtenBytes`, and for scans through YCSB's API."),
  USER_LIVE_BYTES(
      PHASE,
      "user.liveBytes",
      "Keys and values of the records that exist at the end; missing if some may be evicted or"
          + " expired."),
  USER_BEGIN_BYTES(
      PHASE,
      "user.beginBytes",
      "Keys and values of the records that exist at the start; missing like `user.liveBytes`."),
  PAGE_CACHE(
      PHASE, "page-cache", "`dropped` before the phase, or `kept` as the phases before left it."),
  COLD_CACHED_BYTES(
      PHASE,
      "cold.cachedBytes",
      "Bytes of the engine's files that were still in the page cache after it was dropped."),
  COLD_REOPENED(
      PHASE,
      "cold.reopened",
      "`yes` or `no`: whether the engine was closed and opened again, without its own caches and"
          + " buffers, before a cold phase."),
  REOPENED(
      PHASE,
      "reopened",
      "`yes` if the engine was closed and opened again before this phase or an earlier one, so that its"
          + " own counts start there."),
  CLIENT_CPUS(PHASE, "client.cpus", COUNT, "CPUs that the worker may use."),
  SERVER_CPUS(
      PHASE, "server.cpus", COUNT, "CPUs that the server may use, if they are not the worker's."),
  CLIENT_CPU_SECONDS(
      PHASE,
      "client.cpuSeconds",
      SUM,
      "Processor time of the worker's JVM, an embedded engine included."),
  COMPILER_CPU_SECONDS(
      PHASE,
      "compiler.cpuSeconds",
      LARGEST,
      "Processor time that the compiler threads of the worker's JVM used while requests counted."),
  CLIENT_HEAP_BYTES(
      PHASE,
      "client.heapBytes",
      SUM,
      "Heap of the worker's JVM in use at the end, garbage included."),
  CLIENT_HEAP_COMMITTED_BYTES(
      PHASE, "client.heapCommittedBytes", SUM, "Committed heap of the worker's JVM at the end."),
  CLIENT_HEAP_RESIDENT_BYTES(
      PHASE,
      "client.heapResidentBytes",
      "Resident memory of the heap of an embedded engine's JVM at the end."),
  CLIENT_HEAP_LIVE_BYTES(
      PHASE,
      "client.heapLiveBytes",
      "Heap of an embedded engine's JVM in use after a full collection right after the phase."),
  GC_COUNT(PHASE, "gc.count", COUNT, SUM, "Garbage collections of the worker's JVM."),
  GC_PAUSE_MILLIS(PHASE, "gc.pauseMillis", LARGEST, "Time that those collections took."),
  HICCUP_P99_NANOS(
      PHASE,
      "hiccup.p99Nanos",
      LARGEST,
      "99th percentile of the time that a thread of the worker overslept, corrected as in"
          + " jHiccup."),
  HICCUP_MAX_NANOS(PHASE, "hiccup.maxNanos", LARGEST, "Longest time that this thread overslept."),
  HARNESS_CEILING(
      PHASE,
      "harness.ceiling",
      PER_SECOND,
      "Throughput of a worker without an engine in this phase, the best of three."),
  HARNESS_RESIDENT_BYTES(
      PHASE, "harness.residentBytes", "Resident memory of that worker at its end."),
  HARNESS_OFF_HEAP_BYTES(
      PHASE,
      "harness.offHeapBytes",
      "Anonymous memory of that worker outside of its heap at its end."),
  HARNESS_HEAP_LIVE_BYTES(
      PHASE,
      "harness.heapLiveBytes",
      "Heap of that worker in use after a full collection right after its phase."),
  GENERATORS_LEAST_SHARE(
      PHASE,
      "generators.leastShare",
      "Operations per client on the slowest generator, as a share of the median of all."),
  GENERATORS_BUSIEST(
      PHASE, "generators.busiest", SHARE, "Largest share of its CPUs that a generator used."),
  GENERATORS_SPREAD_NANOS(
      PHASE,
      "generators.spreadNanos",
      "Time between the first and the last generator's start of the measured time."),
  GENERATORS_CLOCK_BOUND_NANOS(
      PHASE,
      "generators.clockBoundNanos",
      "Largest uncertainty about a generator's clock, in either direction."),

  GENERATOR_HOST(GENERATOR, "generator.host", "Name of the generator's machine."),
  GENERATOR_CORES(GENERATOR, "generator.cores", COUNT, "CPUs that the generator may use."),
  GENERATOR_JAVA(GENERATOR, "generator.java", "Java version; it must be the controller's."),
  GENERATOR_BUILD(
      GENERATOR, "generator.build", "Checksum of the class path; it must be the controller's."),
  GENERATOR_AGREED_NANOS(
      GENERATOR,
      "generator.agreedNanos",
      "When the measured time began by agreement, on the generator's own clock."),
  GENERATOR_BEGAN_NANOS(
      GENERATOR,
      "generator.beganNanos",
      "When the first measured request began, on the generator's own clock."),
  GENERATOR_CLIENTS(GENERATOR, "generator.clients", COUNT, "Clients of the generator."),
  GENERATOR_PLANNED_RECORDS(
      GENERATOR, "generator.plannedRecords", COUNT, "Records at the start of the phase."),
  GENERATOR_TIMED(
      GENERATOR, "generator.timed", "`true` or `false`: whether a time ended the phase.");

  /** The start of {@code NAME} or {@code N}, the part that varies in a family. */
  private static final String PLACEHOLDER = ".N";

  @SuppressWarnings("ImmutableEnumChecker") // Set.of
  private final Set<Level> levels;

  private final String label;
  private final Unit unit;
  private final Merging merging;
  private final String meaning;
  private final String prefix;
  private final String suffix;
  private final boolean family;

  Fact(Level level, String label, String meaning) {
    this(level, label, NONE, meaning);
  }

  Fact(Level level, String label, Unit unit, String meaning) {
    this(level, label, unit, NONE, meaning);
  }

  Fact(Level level, String label, Merging merging, String meaning) {
    this(level, label, Unit.of(label), merging, meaning);
  }

  Fact(Level level, String label, Unit unit, Merging merging, String meaning) {
    this(Set.of(level), label, unit, merging, meaning);
  }

  Fact(Set<Level> levels, String label, Unit unit, Merging merging, String meaning) {
    this.levels = levels;
    this.label = label;
    this.unit = unit;
    this.merging = merging;
    this.meaning = meaning;
    int placeholder = label.indexOf(PLACEHOLDER) + 1;
    this.family = placeholder > 0;
    this.prefix = label.substring(0, placeholder);
    this.suffix = family && !label.endsWith("NAME") ? label.substring(placeholder + 1) : "";
  }

  /** Created at the first lookup, which a worker never makes. */
  private static final class Names {

    private static final Map<Level, Map<String, Fact>> FACTS = new EnumMap<>(Level.class);

    private static final List<Fact> FAMILIES =
        Stream.of(Fact.values()).filter(fact -> fact.family).toList();

    static {
      for (Level level : Level.values()) {
        FACTS.put(
            level,
            Stream.of(Fact.values())
                .filter(fact -> fact.at(level) && !fact.family)
                .collect(toMap(Fact::label, fact -> fact)));
      }
    }
  }

  /** Returns the fact of that name and level; single facts precede families. */
  public static Optional<Fact> find(Level level, String name) {
    return Optional.ofNullable(Names.FACTS.get(level).get(name))
        .or(
            () ->
                Names.FAMILIES.stream()
                    .filter(fact -> fact.at(level) && fact.names(name))
                    .findFirst());
  }

  public boolean at(Level level) {
    return levels.contains(level);
  }

  /** Returns the name in files; a family has a part in upper case, as {@code setting.NAME}. */
  public String label() {
    return label;
  }

  public Unit unit() {
    return unit;
  }

  /** Returns the rule that merges the values of several generators. */
  public Merging merging() {
    return merging;
  }

  /** Returns the meaning, a sentence in Markdown. */
  public String meaning() {
    return meaning;
  }

  /** Returns the name in files; throws if this is a family. */
  String named() {
    if (family) {
      throw new IllegalArgumentException(label + " is a family of facts; name one of them");
    }
    return label;
  }

  /**
   * Returns the name in files of one fact of the family.
   *
   * @throws IllegalArgumentException if this is not a family
   */
  public String named(Object part) {
    if (!family) {
      throw new IllegalArgumentException(label + " is one fact, and has no " + part);
    }
    return prefix + part + suffix;
  }

  /** Returns the part of {@code name} that varies in this family. */
  public Optional<String> part(String name) {
    int end = name.length() - suffix.length();
    return family && end > prefix.length() && name.startsWith(prefix) && name.endsWith(suffix)
        ? Optional.of(name.substring(prefix.length(), end))
        : Optional.empty();
  }

  /** Returns whether {@code name} is the name of this fact or of one in this family. */
  public boolean names(String name) {
    return family ? part(name).isPresent() : label.equals(name);
  }
}
