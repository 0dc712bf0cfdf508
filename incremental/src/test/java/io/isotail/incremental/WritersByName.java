package io.isotail.incremental;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;

/** Tells a checker, as a proxy would, of transactions whose versions name their writers. */
abstract class WritersByName {
  static final String SERIALIZABLE = "postgresql:serializable";

  String ranAt = SERIALIZABLE;
  String proxy = "p";
  long database = SessionInfo.NO_DATABASE;
  long oldestRunning = Hello.NOT_KNOWN;
  private int heartbeats;
  private long nowNs;

  /** Log append time of what is told, in ms. */
  long nowMs = 1;

  static Operations.Builder ops() {
    return new Operations.Builder().statement(new Statement("t", "", true));
  }

  CheckRun start(CheckerConfig config, long oldestRunning) {
    heartbeats = 0;
    return new CheckRun(config).accept(1, new Hello("p", "t", "1", 100, oldestRunning));
  }

  void beat(CheckRun run) {
    for (int i = 0; i < 3; i++) {
      run.accept(1, new Heartbeat("p", heartbeats++, List.of()));
    }
  }

  void committed(CheckRun run, long session, long sequence, Operations.Builder ops) {
    ended(run, session, sequence, Outcome.COMMITTED, ops);
  }

  void ended(CheckRun run, long session, long sequence, Outcome outcome, Operations.Builder ops) {
    nowNs += 10;
    ended(run, session, sequence, outcome, nowNs, ops);
  }

  void ended(
      CheckRun run,
      long session,
      long sequence,
      Outcome outcome,
      long endNs,
      Operations.Builder ops) {
    run.accept(
        nowMs,
        new TransactionRecord(
            new SessionInfo(
                session, "s" + session, proxy, "service", "1", "db", 0, database, oldestRunning),
            sequence,
            sequence,
            0,
            outcome,
            ranAt,
            0,
            endNs,
            "c",
            ops.build()));
  }
}
