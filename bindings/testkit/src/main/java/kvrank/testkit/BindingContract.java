package kvrank.testkit;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * What every binding promises, checked against the real engine: started as its {@code engine.yaml}
 * says, by the method that kvrank itself would take. Each binding has a test that extends this and
 * names its engine.
 *
 * <p>If the engine is unavailable, the tests are skipped and print the reason. The environment
 * variable {@code KVRANK_REQUIRE_ENGINES} ({@code redis,rocksdb}) makes that a failure.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BindingContract
    implements DefinitionContract,
        RecordContract,
        ByteContract,
        BatchContract,
        ScanContract,
        PipelineContract,
        TtlContract,
        SyncContract,
        RecoveryContract {

  private Subject subject;

  /** The engine's folder under {@code bindings/}. */
  protected abstract String engine();

  /** What a scenario would say under {@code options}. */
  protected Map<String, String> options() {
    return Map.of();
  }

  /** The provision method that a scenario would insist on; empty for the first available one. */
  protected String method() {
    return "";
  }

  /** The calls to sync of one insert with fsync on; 1 unless the engine is known to need others. */
  @Override
  public int syncsPerInsert() {
    return 1;
  }

  @Override
  public int longestValue() {
    return LARGE;
  }

  @BeforeAll
  final void start() throws Exception {
    subject = Subject.start(engine(), options(), method());
  }

  @AfterAll
  final void stop() {
    if (subject != null) {
      subject.close();
    }
  }

  @Override
  public final Subject subject() {
    return subject;
  }
}
