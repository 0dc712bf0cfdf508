package io.isotail.ingest.cost;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;

/** An application: its tables, and its transactions. It knows nothing of isotail. */
interface Workload {
  /** Name on the command line. */
  String name();

  /** Statements that make its tables and fill them. */
  List<String> tables();

  /** A client on a connection of its own, which it uses alone. */
  Client client(Connection connection, Random random) throws SQLException;

  /** One client. */
  interface Client {
    /** Runs one transaction and commits it. */
    void transaction() throws SQLException;
  }
}
