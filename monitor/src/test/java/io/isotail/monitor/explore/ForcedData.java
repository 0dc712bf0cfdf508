package io.isotail.monitor.explore;

import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import java.sql.Connection;
import java.sql.SQLException;

/** How a program's variables, and what its transactions do, stand in a real database. */
interface ForcedData {
  /** What the database has before any transaction; the caller commits. */
  void fill(Connection connection, Program program) throws SQLException;

  /** A variable as the transaction of the connection sees it, in the words of an exploration. */
  String read(Connection connection, String variable) throws SQLException;

  /**
   * Does what a transaction that commits has done, with its effects left uncommitted; or finds that
   * one that does not commit gives up by itself.
   *
   * @return whether the transaction did what the history says
   */
  boolean act(Connection connection, ExploredHistory history, int transaction) throws SQLException;
}
