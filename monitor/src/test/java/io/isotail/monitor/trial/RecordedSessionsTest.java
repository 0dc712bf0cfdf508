package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.store.ListSession;
import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is recorded of a store's answers, and of those that never came. */
final class RecordedSessionsTest {
  private static final TransactionScope SCOPE = new TransactionScope(Set.of(1L), Set.of(1L));

  private final List<TransactionRecord> records = new ArrayList<>();
  private final Set<Long> announced = new HashSet<>();
  private final Scripted store = new Scripted();

  /** A store that answers as it is told. */
  private static final class Scripted implements StoreSession {
    private @Nullable Exception onRead;
    private @Nullable Exception onWrite;
    private @Nullable Exception onCommit;
    private int closed;

    private static void answer(@Nullable Exception failure) throws Exception {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void begin(TransactionScope scope) {}

    @Override
    public @Nullable Long read(long register) throws Exception {
      answer(onRead);
      return register == 0 ? null : Long.valueOf(register + 100);
    }

    @Override
    public void write(long register, long version) throws Exception {
      answer(onWrite);
    }

    @Override
    public void commit() throws Exception {
      answer(onCommit);
    }

    @Override
    public void rollBack() {}

    @Override
    public void cut() {}

    @Override
    public void close() {
      closed++;
    }
  }

  @Test
  void aCommitThatWasAnsweredIsCommitted() throws Exception {
    try (StoreSession session = open()) {
      readAndWrite(session);
      session.commit();
    }
    assertThat(outcomes()).containsExactly(Outcome.COMMITTED);
    TransactionRecord record = records.get(0);
    assertThat(record.ranAt()).isEqualTo("strict-serializable");
    assertThat(record.operations().versionName(0)).isEqualTo("101");
    assertThat(record.operations().versionName(1)).isEqualTo("7");
    assertThat(announced).containsExactly(0L);
    assertThat(store.closed).isEqualTo(1);
  }

  @Test
  void whatTheStoreRefusesIsAborted() throws Exception {
    try (StoreSession session = open()) {
      store.onCommit = new RefusedException("no");
      readAndWrite(session);
      assertThatThrownBy(session::commit).isSameAs(store.onCommit);
      session.rollBack();
      store.onWrite = new RefusedException("no");
      assertThatThrownBy(() -> readAndWrite(session)).isSameAs(store.onWrite);
      session.rollBack();
      store.onWrite = null;
      readAndWrite(session);
      session.rollBack();
    }
    assertThat(outcomes()).containsExactly(Outcome.ABORTED, Outcome.ABORTED, Outcome.ABORTED);
    assertThat(records).extracting(TransactionRecord::transaction).containsExactly(0L, 1L, 2L);
  }

  @Test
  void whatWasNotAnsweredIsUnknownUnlessNothingWasWritten() throws Exception {
    store.onCommit = new IOException("no reply");
    try (StoreSession session = open()) {
      readAndWrite(session);
      assertThatThrownBy(session::commit).isSameAs(store.onCommit);
    }
    store.onRead = new IOException("no reply");
    try (StoreSession session = open()) {
      session.begin(SCOPE);
      session.write(2, 8);
      assertThatThrownBy(() -> session.read(1)).isSameAs(store.onRead);
    }
    store.onRead = null;
    try (StoreSession session = open()) {
      session.begin(SCOPE);
      session.read(1);
    }
    assertThat(outcomes()).containsExactly(Outcome.UNKNOWN, Outcome.UNKNOWN, Outcome.ABORTED);
    assertThat(records).extracting(r -> r.session().id()).doesNotHaveDuplicates();
    assertThat(records.get(0).endNs()).isEqualTo(TransactionRecord.NO_TIME);
  }

  @Test
  void aRangeSaysOfEachRegisterWhetherItIsThere() throws Exception {
    try (StoreSession session = open()) {
      session.begin(SCOPE);
      assertThat(session.readRange(0, 2)).containsExactly(null, 101L);
      session.commit();
    }
    assertThat(records.get(0).operations().versionKind(0)).isEqualTo(VersionKind.INITIAL);
    assertThat(records.get(0).operations().versionName(1)).isEqualTo("101");
  }

  @Test
  void aListSaysInWhichOrderItsVersionsCame() throws Exception {
    StoreSession lists =
        (StoreSession)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ListSession.class},
                (proxy, method, arguments) ->
                    method.getName().equals("list") ? List.of(101L, 102L) : null);
    try (StoreSession session = open(lists)) {
      session.begin(SCOPE);
      assertThat(session.read(1)).isEqualTo(102);
      session.commit();
    }
    Operations operations = records.get(0).operations();
    assertThat(operations.size()).isEqualTo(3);
    assertThat(operations.kind(1)).isEqualTo(OperationKind.LISTED);
    assertThat(operations.versionName(1)).isEqualTo("101");
    assertThat(operations.kind(2)).isEqualTo(OperationKind.READ);
  }

  private List<Outcome> outcomes() {
    return records.stream().map(TransactionRecord::outcome).toList();
  }

  private static void readAndWrite(StoreSession session) throws Exception {
    session.begin(SCOPE);
    session.read(1);
    session.write(1, 7);
  }

  private StoreSession open() throws Exception {
    return open(store);
  }

  private StoreSession open(StoreSession opened) throws Exception {
    TransactionSink sink =
        new TransactionSink() {
          @Override
          public void writeStarted(long session, long transaction) {
            announced.add(transaction);
          }

          @Override
          public void transaction(TransactionRecord record) {
            records.add(record);
          }
        };
    CaptureConfig config =
        CaptureConfig.of("h", ObservedTables.parse("registers(k; v)")).withClearNames();
    Capture capture = new Capture(config, sink, "proxy");
    return new RecordedSessions(() -> opened, capture, "strict-serializable").open();
  }
}
