package io.isotail.ingest.capture;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once of hashes that protect nothing. Thread-safe. */
final class KeyWarning {
  private static final Logger LOG = LoggerFactory.getLogger(KeyWarning.class);

  private final AtomicBoolean given = new AtomicBoolean();

  /** A capture with this configuration begins. */
  void check(CaptureConfig config) {
    boolean guessable = config.secret() == null || config.secret().isBlank();
    if (guessable && !config.clearNames() && given.compareAndSet(false, true)) {
      LOG.warn(
          "isotail.key is not set: the hashes of history {} have a key that is made from its name,"
              + " so who reads them can guess keys and versions. Set one secret for all"
              + " applications of the history, as ISOTAIL_KEY.",
          config.history());
    }
  }
}
