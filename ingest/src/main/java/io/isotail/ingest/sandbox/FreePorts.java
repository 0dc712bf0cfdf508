package io.isotail.ingest.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers of the sandbox, below the range from which systems take ports for outgoing
 * connections: none of those can then take the port before the server does.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;
  private static final int ATTEMPTS = 1_000;

  /** How often a server is started on another port before its failure counts. */
  static final int STARTS = 5;

  private FreePorts() {}

  /** A port that nobody listens on. Another server may still take it before it is used. */
  public static int next() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Taken: try another one.
      }
    }
    throw new IllegalStateException(
        "found no free port from %d to %d on the loopback interface".formatted(FIRST, LAST));
  }
}
