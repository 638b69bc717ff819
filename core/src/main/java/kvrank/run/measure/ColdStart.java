package kvrank.run.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.machine.Footprint;
import kvrank.machine.PageCache;
import kvrank.run.worker.BrokenException;

/**
 * Empties the caches before a phase: those of an embedded engine, and the page cache.
 *
 * @param data the engine's files, if they are on this machine
 * @param reopening closes and opens the engine; empty for a server
 * @param reports the engine's own figures now
 * @param dropping empties the page cache
 */
record ColdStart(
    Optional<Path> data, Optional<Step> reopening, Settling.Reports reports, Step dropping) {

  /** Figures that an engine begins again when it is opened. */
  private static final List<Fact> RENEWED =
      List.of(Fact.ENGINE_FLUSHES, Fact.ENGINE_PENDING_BYTES, Fact.ENGINE_PENDING_WORK);

  /** One part of it. */
  interface Step {
    void run() throws IOException, InterruptedException, BrokenException;
  }

  /** Returns the engine's own figures at the start; adds facts about the start to {@code facts}. */
  Facts begin(Facts facts) throws IOException, InterruptedException, BrokenException {
    // Without files, an engine would lose its records.
    boolean reopen = reopening.isPresent() && data.isPresent() && Footprint.hasFiles(data.get());
    // An engine may read its files for its figures, as Chronicle Map does, and mapped pages are not
    // dropped. So it is asked before it is closed, and again only if it renews a figure.
    Facts before = reports.get();
    if (reopen) {
      reopening.get().run();
      if (RENEWED.stream().anyMatch(before::has)) {
        before = reports.get();
      }
    }
    dropping.run();
    facts.put(Fact.COLD_REOPENED, reopen);
    if (data.isPresent()) {
      facts.put(Fact.COLD_CACHED_BYTES, PageCache.resident(data.get()));
    }
    return before;
  }
}
