package io.isotail.monitor.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when a file holds something else than before. Looks at what is in it, every so often:
 * orchestrators replace files in ways that a watch of the file system does not see.
 */
public final class FileWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FileWatch.class);

  private final Path file;
  private final Runnable onChange;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "isotail-config");
            made.setDaemon(true);
            return made;
          });
  private byte @Nullable [] seen;
  private byte @Nullable [] latest;

  /** What the file holds now is known; nothing is told before {@link #start}. */
  public FileWatch(Path file, Runnable onChange) {
    this.file = file;
    this.onChange = onChange;
    this.seen = read();
  }

  /**
   * Begins to look.
   *
   * @param interval from one look to the next
   */
  public void start(Duration interval) {
    var unused =
        thread.scheduleWithFixedDelay(
            this::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A file that is being written may be away, or half there: two looks must see the same. */
  private void look() {
    byte[] now = read();
    boolean settled = now != null && Arrays.equals(now, latest);
    latest = now;
    if (settled && !Arrays.equals(now, seen)) {
      seen = now;
      try {
        onChange.run();
      } catch (RuntimeException | StackOverflowError e) { // the next change must be told too
        log.error("{} has changed, and could not be taken over", file, e);
      }
    }
  }

  private byte @Nullable [] read() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      log.debug("{} cannot be read", file, e);
      return null;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
