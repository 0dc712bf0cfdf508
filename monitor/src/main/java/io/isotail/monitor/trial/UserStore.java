package io.isotail.monitor.trial;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.store.RegisterStore;
import io.isotail.ingest.store.StoreProvider;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterTable;
import io.isotail.ingest.workload.RegisterWorkload;
import java.io.IOException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.UUID;

/**
 * A store of the user's that has no SQL, in which the trial keeps registers under a name that
 * nobody has, and removes them again.
 */
public final class UserStore implements TrialDatabase {
  private final RegisterStore store;
  private final String space;
  private final IsolationLevel promise;

  private UserStore(RegisterStore store, String space, IsolationLevel promise) {
    this.store = store;
    this.space = space;
    this.promise = promise;
  }

  /**
   * Connects to a store.
   *
   * @param promise level that the store is said to give to all transactions
   * @throws TrialException saying why it does not answer
   */
  public static UserStore connect(
      StoreProvider provider, String url, Properties login, IsolationLevel promise)
      throws TrialException {
    String space = "isotail_" + UUID.randomUUID().toString().substring(0, 8);
    try {
      return new UserStore(provider.connect(url, login, space), space, promise);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new TrialException(
          "the %s store does not answer: %s".formatted(provider.scheme(), words(e)), e);
    }
  }

  private static String words(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Running start() {
    return new Running() {
      @Override
      public ConnectionSource direct() {
        return () -> {
          throw new SQLFeatureNotSupportedException("the store has no SQL");
        };
      }

      @Override
      public RegisterTable table() {
        return registers();
      }

      /** The space is new. */
      @Override
      public void create() {}

      @Override
      public Captured capture(CaptureConfig config, KafkaEmitter emitter) {
        return record(config, emitter);
      }

      @Override
      public void close() throws IOException {
        remove();
      }
    };
  }

  /** How its registers are told in records. */
  RegisterTable registers() {
    return new RegisterTable(space);
  }

  /** Records what a workload on it does. Called once. */
  Captured record(CaptureConfig config, KafkaEmitter emitter) {
    Capture capture = new Capture(config, emitter, emitter.proxyId());
    RecordedSessions sessions = new RecordedSessions(store, capture, promise);
    return new Captured(
        workload -> new RegisterWorkload(workload, sessions), capture::stats, () -> {});
  }

  /** Removes the registers and ends the connection; a store that is being started is waited for. */
  void remove() throws IOException {
    try (store) {
      Exception failure = Patience.attempt(store::remove);
      if (failure != null) {
        throw new IOException(
            "registers were left behind under the name %s: %s".formatted(space, words(failure)),
            failure);
      }
    }
  }
}
