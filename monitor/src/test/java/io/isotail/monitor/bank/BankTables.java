package io.isotail.monitor.bank;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Accounts and transfers between them.
 *
 * <p>Ids of accounts are never used again. Those of transfers are: a transfer that was cancelled is
 * booked again under the same id, and its version starts at 1 again.
 */
final class BankTables {
  /** The tables as isotail is told to observe them. */
  static final String OBSERVED = "account(id; version), transfer(id; version)";

  /** The bank's own accounts, 1 and up, which many transactions write without reading them. */
  static final int HOUSE_ACCOUNTS = 4;

  /** Accounts that exist from the beginning to the end, the bank's own included. */
  static final int ACCOUNTS = 60;

  /** Ids of transfers that the tellers of one application share. */
  static final int TRANSFERS = 400;

  private static final int OPENING_BALANCE = 1_000;
  private static final int CUSTOMERS = 12;

  private BankTables() {}

  /** Makes the empty tables. */
  static void create(DataSource direct) throws SQLException {
    try (Connection c = direct.getConnection();
        Statement s = c.createStatement()) {
      s.execute(
          "CREATE TABLE account (id bigint PRIMARY KEY, owner text NOT NULL,"
              + " balance bigint NOT NULL CHECK (balance >= 0), version integer NOT NULL)");
      s.execute(
          "CREATE TABLE transfer (id bigint PRIMARY KEY, source bigint NOT NULL,"
              + " target bigint NOT NULL, amount bigint NOT NULL, version integer NOT NULL)");
      s.execute("CREATE SEQUENCE account_id START " + (ACCOUNTS + 1));
    }
  }

  /** Opens the accounts, in one batch. */
  static void open(DataSource pool) throws SQLException {
    try (Connection c = pool.getConnection();
        PreparedStatement insert =
            c.prepareStatement(
                "INSERT INTO account (id, owner, balance, version) VALUES (?, ?, ?, 1)")) {
      c.setAutoCommit(false);
      for (int id = 1; id <= ACCOUNTS; id++) {
        insert.setLong(1, id);
        insert.setString(2, id <= HOUSE_ACCOUNTS ? "bank" : "customer " + id % CUSTOMERS);
        insert.setLong(3, OPENING_BALANCE);
        insert.addBatch();
      }
      insert.executeBatch();
      c.commit();
    }
  }
}
