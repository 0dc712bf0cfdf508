package io.isotail.monitor.reach;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Whether one of several servers takes connections. Nothing is sent: clients that speak a protocol
 * try for a long time, and then tell neither the host nor the cause.
 */
public final class Reachability {
  /** Long enough for any network that a monitor is used in. */
  public static final Duration PATIENCE = Duration.ofSeconds(3);

  private Reachability() {}

  /** That no broker answers, with each and the cause; null if one takes connections. */
  public static @Nullable String brokers(String bootstrap) throws InterruptedException {
    String problem = problem(bootstrap, PATIENCE);
    return problem == null ? null : "no broker answers: " + problem;
  }

  /**
   * Tries all servers at the same time.
   *
   * @param servers {@code HOST:PORT[,…]}; what is none is left to the client that will be made
   * @return each server with the cause, or null if one takes connections or none can be tried
   */
  public static @Nullable String problem(String servers, Duration patience)
      throws InterruptedException {
    Map<String, CompletableFuture<String>> failures = new LinkedHashMap<>();
    CompletableFuture<Boolean> reached = new CompletableFuture<>();
    for (String server : addresses(servers)) {
      failures.put(server, failure(server, patience, reached));
    }
    if (failures.isEmpty()) {
      return null;
    }
    CompletableFuture<Void> allFailed =
        CompletableFuture.allOf(failures.values().toArray(CompletableFuture[]::new));
    try {
      CompletableFuture.anyOf(reached, allFailed).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // Those that have not answered are told so.
    }
    if (reached.isDone()) {
      return null;
    }
    StringJoiner problems = new StringJoiner("; ");
    failures.forEach(
        (server, failure) -> problems.add(server + ": " + failure.getNow(Cause.NO_ANSWER)));
    return problems.toString();
  }

  /** The servers that have a host and a port, as they are written. */
  private static List<String> addresses(String servers) {
    List<String> addresses = new ArrayList<>();
    for (String server : servers.split(",")) {
      if (server.strip().matches("[^\\s/]+:[0-9]{1,5}")) {
        addresses.add(server.strip());
      }
    }
    return addresses;
  }

  /** Completes with the cause when a server cannot be reached; else {@code reached} does. */
  private static CompletableFuture<String> failure(
      String server, Duration patience, CompletableFuture<Boolean> reached) {
    CompletableFuture<String> failure = new CompletableFuture<>();
    // Looking a name up can neither be interrupted nor be bounded.
    Thread thread =
        new Thread(
            () -> {
              String cause = cause(server, patience);
              if (cause == null) {
                reached.complete(true);
              } else {
                failure.complete(cause);
              }
            },
            "isotail-reach-" + server);
    thread.setDaemon(true);
    thread.start();
    return failure;
  }

  /** Tries each address of the host. */
  private static @Nullable String cause(String server, Duration patience) {
    int colon = server.lastIndexOf(':');
    String host = server.substring(0, colon).replaceAll("^\\[|]$", "");
    String cause = Cause.NO_ANSWER;
    try {
      int port = Integer.parseInt(server.substring(colon + 1));
      InetAddress[] addresses = InetAddress.getAllByName(host);
      int patienceMs = Math.toIntExact(patience.toMillis() / addresses.length);
      for (InetAddress address : addresses) {
        try (Socket socket = new Socket()) {
          socket.connect(new InetSocketAddress(address, port), patienceMs);
          return null;
        } catch (IOException e) {
          cause = Cause.of(e);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      return Cause.of(e);
    }
    return cause;
  }
}
