package io.isotail.ingest.emit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * The clock of this process: monotonic, shifted once to wall time. It stamps transactions and
 * heartbeats.
 */
public final class CaptureClock {

  /** The one clock of the process: times of all its sessions can be compared. */
  public static final CaptureClock PROCESS = new CaptureClock();

  private final String id = UUID.randomUUID().toString();
  private final long offsetNs =
      ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()) - System.nanoTime();

  private CaptureClock() {}

  /** Identity of the clock, new with every start of the process. */
  public String id() {
    return id;
  }

  /** Nanoseconds since 1970, never going back. */
  public long nowNs() {
    return System.nanoTime() + offsetNs;
  }
}
