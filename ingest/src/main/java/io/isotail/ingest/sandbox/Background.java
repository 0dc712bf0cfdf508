package io.isotail.ingest.sandbox;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets what loads a sandbox give way to what watches it, where both share a machine's processors.
 *
 * <p>A database under full load has a machine of its own, and so has isotail. On one machine their
 * threads would take turns: beside eight busy sessions the one thread that checks gets a tenth of a
 * processor. On Linux each thread has a niceness of its own; elsewhere nothing is changed.
 */
public final class Background {
  private static final Logger LOG = LoggerFactory.getLogger(Background.class);

  /** A thread of this niceness gets a tenth of the time that one beside it gets. */
  private static final int NICENESS = 10;

  private static final Path THIS_THREAD = Path.of("/proc/thread-self");

  private Background() {}

  /** The calling thread gives way to all others from now on. */
  public static void enter() {
    try {
      // Reads PID/task/TID.
      renice(Files.readSymbolicLink(THIS_THREAD).getFileName().toString());
    } catch (IOException e) {
      LOG.debug("no threads of the system are known", e);
    }
  }

  /** A process gives way to all others, and so do those that it starts from now on. */
  static void enter(String pid) {
    renice(pid);
  }

  private static void renice(String id) {
    try {
      new ProcessBuilder("renice", "-n", Integer.toString(NICENESS), "-p", id)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      LOG.debug("{} keeps its niceness", id, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
