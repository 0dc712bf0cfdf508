package io.isotail.monitor.reach;

import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * What Kafka's client says of a broker, in plain words where its own name neither the address nor
 * the mistake.
 */
public final class BrokerWords {
  private static final String EXPECTED = "; expected a broker's listener for clients";

  private BrokerWords() {}

  /**
   * The words of a failure.
   *
   * @param bootstrap the addresses that the client was given
   */
  public static String of(Throwable failure, String bootstrap) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof UnsupportedVersionException
        && message.startsWith("The node does not support ")) {
      return bootstrap + " serves no clients, as the port of a controller" + EXPECTED;
    }
    if (failure instanceof TimeoutException && message.contains("node assignment")) {
      return bootstrap + " does not answer as a broker" + EXPECTED;
    }
    return message;
  }
}
