package io.isotail.monitor.serial;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One run: traffic, what was captured of it, and what the checkers say. */
final class SerialRun {
  /** In so many of a hundred turns somebody past isotail has it. */
  private static final int OUTSIDE_PERCENT = 15;

  private final SerialPlan plan;
  private final SerialDatabase database;
  private final Random random;
  private final SerialStream stream;
  private final Versions versions;
  private final SerialTraffic traffic;

  /** Rows by table and key that a captured connection wrote last: whether its record says what. */
  private final Map<String, Boolean> capturedLast = new HashMap<>();

  private long capturedChanges;
  private long outsideChanges;

  private SerialRun(SerialPlan plan, SerialDatabase database) {
    this.plan = plan;
    this.database = database;
    this.random = Seeds.random(plan.seed() + 1_000_000_007);
    this.stream = new SerialStream(random);
    this.versions = new Versions(plan.unique(), random);
    this.traffic = new SerialTraffic(random, new Statements(random, versions, plan.wild()));
  }

  /** Runs a plan. */
  static SerialFigures run(SerialPlan plan, SerialDatabase database) throws SQLException {
    return new SerialRun(plan, database).run();
  }

  private SerialFigures run() throws SQLException {
    long startNs = System.nanoTime();
    database.reset(plan, versions, random);
    try (SerialSession session =
        new SerialSession(database, stream, plan.sessions(), plan.proxies())) {
      turns(session);
      if (session.internalFailures() > 0) {
        throw new IllegalStateException(session.internalFailures() + " failures inside isotail");
      }
    }
    final double trafficSeconds = (System.nanoTime() - startNs) / 1e9;
    SerialChecks checks = new SerialChecks(plan.unique(), stream.log());
    Map<TableKind, SerialChecks.Share> coverage = new EnumMap<>(TableKind.class);
    for (TableKind kind : TableKind.values()) {
      if (kind.isIn(plan)) {
        coverage.put(kind, checks.coverage(kind.tables()));
      }
    }
    long committed =
        stream.log().stream()
            .filter(
                entry ->
                    entry.record() instanceof TransactionRecord t
                        && t.outcome() == Outcome.COMMITTED)
            .count();
    return new SerialFigures(
        plan,
        committed,
        capturedChanges,
        outsideChanges,
        coverage,
        checks.findings(),
        SerialHistory.text(stream.log()),
        trafficSeconds,
        (System.nanoTime() - startNs) / 1e9 - trafficSeconds);
  }

  private void turns(SerialSession session) throws SQLException {
    Planting planting = null;
    Iterator<Planting.Step> steps = List.<Planting.Step>of().iterator();
    int plantAt = -1;
    if (plan.plant() != null) {
      planting = new Planting(session, stream, versions, random);
      steps = planting.steps(plan.plant()).iterator();
      plantAt = random.nextInt(plan.turns() / 2);
    }
    boolean justPlanted = false;
    for (int turn = 0; turn < plan.turns(); turn++) {
      boolean due = turn >= plantAt && steps.hasNext();
      justPlanted = due && !(justPlanted && random.nextBoolean());
      if (planting != null && justPlanted) {
        // At most one turn between two steps, and no delay: all is in the smallest window.
        stream.catchUp();
        steps.next().run();
        planting.noteIdentities();
      } else if (random.nextInt(100) < OUTSIDE_PERCENT) {
        traffic.transaction(session.outside());
      } else {
        List<Connection> captured = session.captured();
        traffic.transaction(captured.get(random.nextInt(captured.size())));
      }
      settle(session);
      if (justPlanted) {
        stream.catchUp();
      }
    }
  }

  /** A transaction is over: notes who has written what, and whose versions it has read. */
  private void settle(SerialSession session) throws SQLException {
    List<SerialDatabase.Change> changes = database.changes();
    Set<String> own = new HashSet<>();
    for (SerialDatabase.Change change : changes) {
      own.add(change.table() + change.key());
    }
    Set<String> recorded = new HashSet<>();
    for (SerialStream.Entry entry : stream.turn()) {
      Operations ops = entry.transaction().operations();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.versionKind(i) != VersionKind.KNOWN) {
          continue;
        }
        String row = ops.statement(i).table() + ops.keyName(i);
        if (ops.kind(i) == OperationKind.WRITE) {
          recorded.add(row + "=" + ops.versionName(i));
        } else if (!own.contains(row) && capturedLast.containsKey(row)) {
          entry.readsOfCaptured.set(i);
          entry.readsOfRecorded.set(i, capturedLast.get(row));
        }
      }
    }
    for (SerialDatabase.Change change : changes) {
      boolean captured = session.isCaptured(change.pid());
      String row = change.table() + change.key();
      if (captured) {
        capturedLast.put(row, recorded.contains(row + "=" + change.version()));
      } else {
        capturedLast.remove(row);
      }
      capturedChanges += captured ? 1 : 0;
      outsideChanges += captured ? 0 : 1;
      versions.note(change);
    }
    stream.endTurn();
  }
}
