package io.isotail.ingest.sandbox;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A broker as a process of its own: {@code BrokerMain HOST:PORT FOLDER}. Prints {@link #READY} on a
 * line of its own when it serves clients, and runs until it is ended by a signal.
 */
public final class BrokerMain {

  /** The line that says that the broker serves clients. */
  public static final String READY = "broker ready";

  private BrokerMain() {}

  /** Runs the broker; exit status 2 on bad arguments. */
  public static void main(String[] args) throws InterruptedException {
    int colon = args.length == 2 ? args[0].lastIndexOf(':') : -1;
    if (colon < 1 || !args[0].substring(colon + 1).matches("\\d{1,5}")) {
      System.err.printf(
          "arguments %s; expected HOST:PORT FOLDER, for instance 127.0.0.1:9092 /tmp/broker%n",
          String.join(" ", args));
      System.exit(2);
    }
    EmbeddedKafka kafka =
        EmbeddedKafka.start(
            args[0].substring(0, colon),
            Integer.parseInt(args[0].substring(colon + 1)),
            Path.of(args[1]));
    Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "broker-shutdown"));
    System.out.println(READY);
    new CountDownLatch(1).await();
  }
}
