package io.isotail.monitor.trial;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.WorkloadConfig;
import java.io.IOException;
import java.time.Duration;

/** A workload on a store without SQL, whose records go to a broker that others have started. */
public final class StoreTraffic implements AutoCloseable {
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
  private static final String SERVICE = "workload";

  private final UserStore store;
  private final KafkaEmitter emitter;
  private final RegisterWorkload workload;

  /**
   * A workload that is not running yet.
   *
   * @param store to be removed and closed with it
   * @param kafka the broker's {@code host:port}
   */
  public StoreTraffic(UserStore store, String kafka, String history, WorkloadConfig config) {
    this.store = store;
    this.emitter = new KafkaEmitter(EmitterConfig.of(kafka, history, SERVICE, ""));
    CaptureConfig capture =
        CaptureConfig.of(history, ObservedTables.parse(store.registers().observed()))
            .withService(SERVICE, "")
            .withClearNames();
    this.workload = store.record(capture, emitter).workload().apply(config);
  }

  /**
   * Makes the registers and starts the sessions.
   *
   * @throws Exception what the store says, or that the broker takes nothing
   */
  public void start() throws Exception {
    if (!emitter.awaitReady(READY_TIMEOUT)) {
      throw new IOException(
          "the broker did not take the first record within %d s"
              .formatted(READY_TIMEOUT.toSeconds()));
    }
    workload.setUp();
    workload.start();
  }

  /** The workload. */
  public RegisterWorkload workload() {
    return workload;
  }

  /** Ends the workload, sends what is left and removes the registers. */
  @Override
  public void close() throws IOException {
    try {
      try (emitter) {
        workload.close();
      }
    } finally {
      store.remove();
    }
  }
}
