package kvrank.worker.check;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kvrank.binding.ValueBuffer;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.call.CallContext;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.MixRequests;
import site.ycsb.Status;

/**
 * Reads records that must exist and records that were deleted, as an acknowledgement proves
 * nothing.
 */
public final class PopulationCheck {

  private static final int SAMPLE = 500;

  private static final Set<String> ANSWERS =
      Set.of(Status.OK.getName(), Status.NOT_FOUND.getName());

  private final CallContext context;
  private final byte[] key;
  private final ValueBuffer read;
  private long looks;
  private long wrong;
  private String finding = "";

  public PopulationCheck(CallContext context) {
    this.context = context;
    this.key = context.keys().newKey();
    this.read = context.newValueBuffer();
  }

  /**
   * Returns the facts of {@link WorkerMessage.Looked}.
   *
   * @param records the number at the start of the phase, deleted only by {@code mixes}
   * @param updates whether updates may have restored deleted records
   */
  public Facts facts(long records, List<MixRequests> mixes, boolean updates) {
    Set<Long> there = new TreeSet<>();
    SampleCheck.spread(records, SAMPLE).forEach(there::add);
    for (MixRequests mix : mixes) {
      mix.deletedNow().forEach(there::remove);
      if (!updates) {
        long[] gone = mix.deletedNow().toArray();
        SampleCheck.spread(gone.length, Math.max(1, SAMPLE / mixes.size()))
            .forEach(i -> look(gone[(int) i], Status.NOT_FOUND, "found although it was deleted"));
      }
    }
    there.forEach(id -> look(id, Status.OK, "not found although it was not deleted"));
    Facts facts = new Facts().put(Fact.CHECKED_RECORDS, looks).put(Fact.CHECKED_WRONG, wrong);
    return wrong > 0 ? facts.put(Fact.INCORRECT_EXAMPLE, finding) : facts;
  }

  private void look(long id, Status expected, String otherwise) {
    context.keys().write(id, key);
    String said = context.look(key, read);
    looks++;
    if (!said.equals(expected.getName())) {
      wrong++;
      boolean answered = ANSWERS.contains(said);
      finding =
          "after the phase, read " + context.keys().key(id) + ": " + (answered ? otherwise : said);
    }
  }
}
