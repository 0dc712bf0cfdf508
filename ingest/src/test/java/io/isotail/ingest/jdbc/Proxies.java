package io.isotail.ingest.jdbc;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.DatabaseIds;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.capture.SinkFactory;
import io.isotail.ingest.emit.TransactionSink;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;

/** The driver in several applications of one history of its own, with all that they would send. */
final class Proxies {
  private final RecordingSink sink = new RecordingSink();
  private final List<Hello> hellos = new ArrayList<>();
  private final String history = UUID.randomUUID().toString();
  private final IsotailDriver driver = new IsotailDriver(this::open);

  private SinkFactory.OpenSink open(CaptureConfig config, DatabaseIds first) {
    String proxy = history + "/" + config.service();
    hellos.add(
        new Hello(
            proxy,
            config.service(),
            "1",
            100,
            first.oldestRunning(),
            first.database(),
            first.nextId()));
    return new SinkFactory.OpenSink() {
      @Override
      public TransactionSink sink() {
        return sink;
      }

      @Override
      public String proxyId() {
        return proxy;
      }

      /** Who reads the records has the hello already. */
      @Override
      public boolean hasBegun() {
        return true;
      }

      @Override
      public void awaitStart(long timeoutNs) {
        throw new AssertionError("the stream has begun");
      }

      @Override
      public void close() {
        // Who reads the records knows when the last one has come.
      }
    };
  }

  /**
   * A connection of an application, not in autocommit mode.
   *
   * @param url of the real driver
   * @param level {@link Connection#TRANSACTION_NONE} for the default one
   */
  Connection connect(String service, String url, int level) throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("isotail.history", history);
    settings.setProperty("isotail.service", service);
    settings.setProperty("isotail.instance", "1");
    settings.setProperty("isotail.kafka", "nowhere:1");
    Connection connection = driver.connect(IsotailDriver.captureUrl(url), settings);
    connection.setAutoCommit(false);
    if (level != Connection.TRANSACTION_NONE) {
      connection.setTransactionIsolation(level);
    }
    return connection;
  }

  List<Hello> hellos() {
    return hellos;
  }

  List<TransactionRecord> records() {
    return sink.records();
  }
}
