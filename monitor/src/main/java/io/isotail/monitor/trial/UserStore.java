package io.isotail.monitor.trial;

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
import java.util.List;
import java.util.Properties;
import java.util.UUID;

/**
 * A store of the user's that has no SQL, in which the trial keeps registers under a name that
 * nobody has, and removes them again.
 */
public final class UserStore implements TrialDatabase {
  private final RegisterStore store;
  private final String space;

  private UserStore(RegisterStore store, String space) {
    this.store = store;
    this.space = space;
  }

  /**
   * Connects to a store.
   *
   * @throws TrialException saying why it does not answer
   */
  public static UserStore connect(StoreProvider provider, String url, Properties login)
      throws TrialException {
    String space = "isotail_" + UUID.randomUUID().toString().substring(0, 8);
    try {
      return new UserStore(provider.connect(url, login, space), space);
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
      public String table() {
        return space;
      }

      @Override
      public String observed() {
        return new RegisterTable(space).observed();
      }

      /** The space is new. */
      @Override
      public void create() {}

      /** A store has one level, whatever is asked for. */
      @Override
      public Captured capture(CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
        Capture capture = new Capture(config, emitter, emitter.proxyId());
        RecordedSessions sessions =
            new RecordedSessions(store, capture, levels.all().get(0).told());
        return new Captured(
            workload -> new RegisterWorkload(workload, sessions),
            () -> List.of(capture.stats()),
            () -> {});
      }

      /** Removes the registers and ends the connection; a store that is starting is waited for. */
      @Override
      public void close() throws IOException {
        try (store) {
          Exception failure = Patience.attempt(store::remove);
          if (failure != null) {
            throw new IOException(
                "registers were left behind under the name %s: %s".formatted(space, words(failure)),
                failure);
          }
        }
      }
    };
  }
}
