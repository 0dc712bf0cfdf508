package io.isotail.monitor.reach;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** What kept a connection from being made, in plain words. */
public final class Cause {
  static final String NO_ANSWER = "no answer in time";

  private static final int MOST_CAUSES = 20;

  private Cause() {}

  /** Of an exception that a network's failure brought about; else its message. */
  public static String of(Throwable failure) {
    String words = ofNetwork(failure);
    if (words != null) {
      return words;
    }
    Throwable deepest = failure;
    for (int i = 0; i < MOST_CAUSES && deepest.getCause() != null; i++) {
      deepest = deepest.getCause();
    }
    return deepest.getMessage() == null ? deepest.toString() : deepest.getMessage();
  }

  /** Which failure of the network is at the bottom of an exception; null if none is. */
  public static @Nullable String ofNetwork(Throwable failure) {
    Throwable cause = failure;
    String words = null;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      String known = known(cause);
      words = known == null ? words : known;
      cause = cause.getCause();
    }
    return words;
  }

  private static @Nullable String known(Throwable cause) {
    if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
      return "no such host name";
    }
    if (cause instanceof NoRouteToHostException) {
      return "no route to the host";
    }
    if (cause instanceof SocketTimeoutException || cause instanceof HttpTimeoutException) {
      return NO_ANSWER;
    }
    if (cause instanceof ConnectException) {
      String message = String.valueOf(cause.getMessage());
      return message.contains("timed out")
          ? NO_ANSWER
          : message.contains("unreachable") ? "the network is unreachable" : "connection refused";
    }
    return null;
  }
}
