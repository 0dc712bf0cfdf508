package io.isotail.ingest.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The workload through the driver on a real database: recorded whole, with real anomalies. */
class RegisterWorkloadIT {
  private final Collection<TransactionRecord> records = new ConcurrentLinkedQueue<>();
  private final TransactionSink sink =
      new TransactionSink() {
        @Override
        public void writeStarted(long session, long transaction) {}

        @Override
        public void transaction(TransactionRecord record) {
          records.add(record);
        }
      };

  @Test
  void everyVersionReadHasItsWriterAndReadCommittedShowsNonRepeatableReads() throws Exception {
    WorkloadStats stats;
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      stats = run(database, Connection.TRANSACTION_READ_COMMITTED);
      assertComplete(stats);
      assertThat(rereadsThatDiffer()).isPositive();
      records.clear();
      stats = run(database, Connection.TRANSACTION_SERIALIZABLE);
      assertComplete(stats);
      assertThat(rereadsThatDiffer()).isZero();
      assertThat(stats.retried()).isPositive();
    }
  }

  private WorkloadStats run(EmbeddedDatabase database, int isolation) throws Exception {
    ConnectionSource direct = () -> DriverManager.getConnection(database.jdbcUrl());
    RegisterWorkload.REGISTERS.create(direct);
    ConnectionWrapper wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("test", ObservedTables.parse(RegisterWorkload.REGISTERS.observed())),
            sink,
            "proxy");
    ConnectionSource observed = () -> wrapper.wrap(direct.open());
    RegisterWorkload workload =
        new RegisterWorkload(
            WorkloadConfig.defaults(42),
            new JdbcSessions(RegisterWorkload.REGISTERS, observed, isolation, false));
    try (workload) {
      workload.setUp();
      workload.start();
      long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      while (workload.stats().committed() < 1_500) {
        assertThat(System.nanoTime() - deadlineNs).as("%s", workload.stats()).isNegative();
        Thread.sleep(10);
      }
    }
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    return workload.stats();
  }

  private void assertComplete(WorkloadStats stats) {
    assertThat(stats.errors()).isZero();
    Set<Long> written = new HashSet<>();
    long committed = 0;
    for (TransactionRecord record : records) {
      assertThat(record.outcome()).isIn(Outcome.COMMITTED, Outcome.ABORTED);
      committed += record.outcome() == Outcome.COMMITTED ? 1 : 0;
      Operations operations = record.operations();
      for (int i = 0; i < operations.size(); i++) {
        assertThat(operations.versionKind(i)).isEqualTo(VersionKind.KNOWN);
        if (operations.kind(i) == OperationKind.WRITE) {
          assertThat(written.add(operations.version(i))).isTrue();
        }
      }
    }
    assertThat(committed).isEqualTo(stats.committed());
    for (TransactionRecord record : records) {
      for (int i = 0; i < record.operations().size(); i++) {
        if (record.operations().kind(i) == OperationKind.READ) {
          assertThat(written).contains(record.operations().version(i));
        }
      }
    }
  }

  private long rereadsThatDiffer() {
    long differing = 0;
    for (TransactionRecord record : records) {
      Map<Long, Long> seen = new HashMap<>();
      Operations operations = record.operations();
      for (int i = 0; i < operations.size(); i++) {
        Long before =
            operations.kind(i) == OperationKind.READ && !operations.undone(i)
                ? seen.put(operations.key(i), operations.version(i))
                : null;
        if (before != null && before != operations.version(i)) {
          differing++;
        }
      }
    }
    return differing;
  }
}
