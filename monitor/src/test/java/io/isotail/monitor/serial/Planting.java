package io.isotail.monitor.serial;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Puts an anomaly into a run, step by step; other transactions may run between two steps. */
final class Planting {
  static final String TABLE = "vault";

  private static final String INSERT = "INSERT INTO vault (k, v) VALUES (?, ?)";
  private static final String SELECT = "SELECT k, v FROM vault WHERE k = ?";
  private static final String UPDATE = "UPDATE vault SET v = ? WHERE k = ? AND v = ?";

  private final SerialStream stream;
  private final Connection one;
  private final Connection other;
  private final Sql sql;
  private final long first;
  private final long second;
  private final long third;

  /** Identities of versions by row and version in clear. */
  private final Map<String, Long> identities = new HashMap<>();

  Planting(SerialSession session, SerialStream stream, Versions versions, Random random) {
    this.stream = stream;
    this.one = session.captured().get(0);
    this.other = session.captured().get(1);
    this.sql = new Sql(random);
    this.first = versions.ofInsert(TABLE, 1);
    this.second = versions.after(TABLE, first);
    this.third = versions.after(TABLE, second);
  }

  /** A part of the anomaly. */
  interface Step {
    void run() throws SQLException;
  }

  List<Step> steps(Plant plant) {
    Step insertBoth =
        () -> repeatableRead(one, () -> sql.run(one, INSERT + ", (?, ?)", 1, first, 2, first));
    Step update = () -> repeatableRead(one, () -> sql.run(one, UPDATE, second, 1, first));
    return switch (plant) {
      case STALE_READ ->
          List.of(
              insertBoth,
              update,
              () -> {
                sql.run(other, SELECT, 1);
                pretend("1", second, first);
              });
      case EDITED_LOST_UPDATE ->
          List.of(
              insertBoth,
              update,
              () -> {
                repeatableRead(other, () -> sql.run(other, UPDATE, third, 1, second));
                pretend("1", second, first);
              });
      case FRACTURED_READ ->
          List.of(
              insertBoth,
              () ->
                  repeatableRead(
                      one,
                      () -> {
                        sql.run(one, UPDATE, second, 1, first);
                        sql.run(one, UPDATE, second, 2, first);
                      }),
              () -> {
                repeatableRead(
                    other,
                    () -> {
                      sql.run(other, SELECT, 1);
                      sql.run(other, SELECT, 2);
                    });
                pretend("2", second, first);
              });
      case LOST_UPDATE -> List.of(insertBoth, this::loseAnUpdate);
      case WRITE_SKEW -> List.of(insertBoth, this::skew);
    };
  }

  private void loseAnUpdate() throws SQLException {
    begin(one, Connection.TRANSACTION_READ_COMMITTED);
    begin(other, Connection.TRANSACTION_READ_COMMITTED);
    sql.run(one, SELECT, 1);
    sql.run(other, SELECT, 1);
    sql.run(one, "UPDATE vault SET v = ? WHERE k = ?", second, 1);
    commit(one);
    sql.run(other, "UPDATE vault SET v = ? WHERE k = ?", third, 1);
    commit(other);
  }

  private void skew() throws SQLException {
    begin(one, Connection.TRANSACTION_REPEATABLE_READ);
    begin(other, Connection.TRANSACTION_REPEATABLE_READ);
    for (Connection each : List.of(one, other)) {
      sql.run(each, SELECT, 1);
      sql.run(each, SELECT, 2);
    }
    sql.run(one, UPDATE, second, 1, first);
    sql.run(other, UPDATE, second, 2, first);
    commit(one);
    commit(other);
  }

  private static void repeatableRead(Connection connection, Step body) throws SQLException {
    begin(connection, Connection.TRANSACTION_REPEATABLE_READ);
    body.run();
    commit(connection);
  }

  private static void begin(Connection connection, int level) throws SQLException {
    connection.setTransactionIsolation(level);
    connection.setAutoCommit(false);
  }

  private static void commit(Connection connection) throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** A step has run: remembers what its versions are called on the wire. */
  void noteIdentities() {
    for (SerialStream.Entry entry : stream.turn()) {
      Operations ops = entry.transaction().operations();
      for (int i = 0; i < ops.size(); i++) {
        if (isOfVault(ops, i)) {
          identities.put(ops.keyName(i) + "=" + ops.versionName(i), ops.version(i));
        }
      }
    }
  }

  private static boolean isOfVault(Operations ops, int i) {
    return TABLE.equals(ops.statement(i).table()) && ops.versionKind(i) == VersionKind.KNOWN;
  }

  /** The last transaction read another version than it did. */
  private void pretend(String key, long read, long instead) {
    SerialStream.Entry entry = stream.turn().get(stream.turn().size() - 1);
    TransactionRecord record = entry.transaction();
    Operations ops = record.operations();
    Operations.Builder edited = new Operations.Builder();
    int changed = 0;
    for (int i = 0; i < ops.size(); i++) {
      if (isOfVault(ops, i)
          && ops.kind(i) == OperationKind.READ
          && key.equals(ops.keyName(i))
          && Long.toString(read).equals(ops.versionName(i))) {
        String name = Long.toString(instead);
        edited.statement(ops.statement(i));
        edited.read(ops.key(i), Objects.requireNonNull(identities.get(key + "=" + name)));
        edited.names(key, name);
        changed++;
      } else {
        edited.addOne(ops, i);
      }
    }
    if (changed != 1) {
      throw new IllegalStateException("expected one read of %s=%d in %s".formatted(key, read, ops));
    }
    entry.replace(SerialHistory.with(record, edited.build()));
  }
}
